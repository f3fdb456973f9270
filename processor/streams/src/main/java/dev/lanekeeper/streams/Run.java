package dev.lanekeeper.streams;

/** Who wrote an outcome: one instance within one assignment epoch. */
record Run(String instance, int epoch) {
    @Override
    public String toString() {
        return instance + " in epoch " + epoch;
    }
}
