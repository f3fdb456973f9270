package dev.lanekeeper.engine.intake;

/**
 * One of the buffers that all partitions share, in records or in bytes. Confined to the poll thread.
 *
 * <p>An eighth of it is divided among the partitions: a floor that is kept for each, whatever the others do. The rest is a
 * pool to borrow from. Each may borrow sixteen parts in seventeen of what the others leave of it: a single hot partition has
 * almost everything, several have about as much as each other, and since all of them together leave something over, one that
 * wakes up can borrow at once. If it can't, it still has its floor.
 *
 * <p>What one has borrowed counts against the others when it is counted here, so each operation is O(1).
 */
final class Budget {
    private static final int FLOORS_PART = 8;
    private static final double LARGEST_LOAN = 16.0 / 17;

    private final long total;
    private long floor;
    private long pool;
    private double largestLoan;

    /** Of the pool, by all partitions. */
    private long borrowed;

    Budget(long total) {
        this.total = total;
        share(1);
    }

    /** Divides it among so many partitions. Nothing is used: whoever calls this counts again. */
    void share(int partitions) {
        floor = Math.max(1, total / FLOORS_PART / Math.max(1, partitions));
        pool = Math.max(0, total - floor * partitions);
        largestLoan = partitions > 1 ? LARGEST_LOAN : 1; // alone, there is nobody to leave something for
        borrowed = 0;
    }

    /** A partition that used {@code before} uses {@code now}. */
    void count(long before, long now) {
        borrowed += loan(now) - loan(before);
    }

    /** Whether a partition that uses so much has borrowed. */
    boolean lent(long used) {
        return loan(used) > 0;
    }

    /** Whether nothing of the pool is left. */
    boolean exhausted() {
        return borrowed >= pool;
    }

    /** How full a partition is that uses so much, which has been counted: 1 and more is full. */
    double fill(long used) {
        long others = borrowed - loan(used);
        return used / (floor + largestLoan * Math.max(0, pool - others));
    }

    private long loan(long used) {
        return Math.max(0, used - floor);
    }
}
