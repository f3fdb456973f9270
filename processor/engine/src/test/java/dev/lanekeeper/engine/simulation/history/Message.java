package dev.lanekeeper.engine.simulation.history;

/**
 * A record in the log of a partition.
 *
 * @param id names it even if another takes its offset
 * @param key its customer
 */
public record Message(String id, String key, int partition, long offset, int leaderEpoch) {
    @Override
    public String toString() {
        return "#" + id + " of " + key + " at " + partition + "@" + offset;
    }
}
