package dev.lanekeeper.benchmarks.gate;

import java.util.Arrays;

/** Measured times, in nanoseconds, for their quantiles. Immutable. */
public final class Durations {
    private final long[] sorted;

    Durations(long... nanos) {
        sorted = nanos.clone();
        Arrays.sort(sorted);
    }

    /** The smallest of them that so large a part of them does not exceed. */
    public long quantileNanos(double part) {
        int rank = (int) Math.ceil(part * sorted.length) - 1;
        return sorted[Math.max(0, rank)];
    }
}
