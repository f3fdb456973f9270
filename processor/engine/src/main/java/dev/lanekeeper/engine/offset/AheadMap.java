package dev.lanekeeper.engine.offset;

import java.util.Arrays;

/**
 * What of a partition is done ahead of the commit frontier: everything from {@link #base} to {@link #end} but the open
 * offsets. An offset that never was a record counts as done. Immutable.
 *
 * <p>It says what is open and not what is done, so its size follows the number of records that hold the frontier back or
 * wait, however many are done behind them.
 */
public final class AheadMap {
    private final long base;
    private final long end;
    private final long[] open;
    private final int leaderEpoch;

    /**
     * Keeps {@code open}.
     *
     * @param base the commit frontier
     * @param end where knowledge ends; nothing is said of it and of what follows
     * @param open offsets from base to end that are not done, ascending
     * @param leaderEpoch no record below end was written under a later one; negative if unknown
     */
    AheadMap(long base, long end, long[] open, int leaderEpoch) {
        this.base = base;
        this.end = end;
        this.open = open;
        this.leaderEpoch = leaderEpoch;
    }

    /** The commit frontier. */
    public long base() {
        return base;
    }

    /** Where knowledge ends; nothing is said of this offset and of what follows. */
    public long end() {
        return end;
    }

    /** No record below the end was written under a later leader epoch; negative if unknown. */
    public int leaderEpoch() {
        return leaderEpoch;
    }

    /** How many offsets are open. */
    public int openCount() {
        return open.length;
    }

    /** The open offset with this index; they ascend. */
    long open(int index) {
        return open[index];
    }

    /** How many done offsets lie directly before the open one with this index. */
    long gapBefore(int index) {
        return index == 0 ? open[0] - base : open[index] - open[index - 1] - 1;
    }

    /** Whether the map says that {@code offset} is done. */
    public boolean done(long offset) {
        return offset >= base && offset < end && Arrays.binarySearch(open, offset) < 0;
    }

    /** Whether nothing is done ahead. */
    public boolean isEmpty() {
        return end - base == open.length;
    }

    /** The same without the open offsets at its end, of which nothing need be said. */
    AheadMap trimmed() {
        int count = open.length;
        long last = end;
        while (count > 0 && open[count - 1] == last - 1) {
            count--;
            last--;
        }
        return count == open.length ? this : new AheadMap(base, last, Arrays.copyOf(open, count), leaderEpoch);
    }

    /** What is known up to the open offset with index {@code count}; the rest is forgotten. */
    AheadMap prefix(int count) {
        return count >= open.length
                ? this
                : new AheadMap(base, open[count], Arrays.copyOf(open, count), leaderEpoch).trimmed();
    }

    @Override
    public String toString() {
        return "AheadMap[from " + base + " to " + end + " but " + open.length + "]";
    }
}
