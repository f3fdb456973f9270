package dev.lanekeeper.engine.offset;

/**
 * What an earlier owner of the partition had done ahead, while its records are delivered again. Confined to one thread.
 *
 * <p>It only ever says less: open offsets that were delivered, or that no record has any more, are passed.
 */
final class Replay {
    private final AheadMap map;
    private final MapWeight weight = new MapWeight();
    private int next; // index of the first open offset not passed

    Replay(AheadMap map) {
        this.map = map;
        for (int i = 0; i < map.openCount(); i++) {
            weight.add(map.gapBefore(i));
        }
    }

    /** Where its knowledge ends. */
    long end() {
        return map.end();
    }

    int leaderEpoch() {
        return map.leaderEpoch();
    }

    /** Whether the record at {@code offset}, which is delivered, was done before. */
    boolean done(long offset) {
        pass(offset);
        return offset < map.end() && !(next < map.openCount() && map.open(next) == offset);
    }

    /** Whether a record at {@code offset} under this epoch was written after the map was: the log was cut below it. */
    boolean contradictedBy(long offset, int recordLeaderEpoch) {
        return offset < map.end() && map.leaderEpoch() >= 0 && recordLeaderEpoch > map.leaderEpoch();
    }

    /** Nothing below {@code offset} is coming any more. */
    void pass(long offset) {
        while (next < map.openCount() && map.open(next) < offset) {
            weight.remove(map.gapBefore(next));
            next++;
        }
    }

    /** How many open offsets are yet to come. */
    int openCount() {
        return map.openCount() - next;
    }

    long open(int index) {
        return map.open(next + index);
    }

    /** As {@link MapWeight#bits}, with room for the distance to what was delivered before. */
    long weightBits() {
        return next < map.openCount() ? weight.bits() + RiceCoding.LONGEST : 0;
    }
}
