package dev.lanekeeper.streams;

/** Where a record lies: the coordinates by which sent records and outcomes find each other. */
record Origin(String topic, int partition, long offset) {
    @Override
    public String toString() {
        return topic + "-" + partition + "@" + offset;
    }
}
