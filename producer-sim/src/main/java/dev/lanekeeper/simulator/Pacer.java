package dev.lanekeeper.simulator;

/**
 * Spaces records evenly at a rate. Pure arithmetic on nanoseconds the caller passes in: it neither reads a clock nor
 * waits. Confined to one thread.
 *
 * <p>Time lost by a late wake-up is made good within {@link #CATCH_UP_NANOS}; time lost beyond that (a broker that did
 * not answer, a stopped process) is let go, so that a stall is never followed by a burst.
 */
final class Pacer {
    static final long CATCH_UP_NANOS = 10_000_000;

    private final double intervalNanos;
    private final long originNanos;
    private double dueNanos;

    /** @param recordsPerSecond above 0; may be a fraction */
    Pacer(double recordsPerSecond, long nowNanos) {
        this.intervalNanos = 1e9 / recordsPerSecond;
        this.originNanos = nowNanos;
    }

    /** Takes the place of the next record and says how long to wait for it; 0 if it is due. */
    long reserve(long nowNanos) {
        double now = nowNanos - originNanos;
        double due = Math.max(dueNanos, now - CATCH_UP_NANOS);
        dueNanos = due + intervalNanos;
        return Math.max(0, (long) Math.ceil(due - now));
    }
}
