package dev.lanekeeper.engine;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/**
 * Wall-clock time that never goes back within one engine: the system's time at construction plus what has elapsed since.
 * Two moments taken one after the other compare rightly whatever is done to the system's clock. Immutable, thread-safe.
 */
final class SteadyClock implements InstantSource {
    private final Instant start = Instant.now();
    private final long startNanos = System.nanoTime();
    private final long startEpochNanos = epochNanos(start);

    /** Now on {@code clock}, in nanoseconds since 1970: where there are many moments, they should not be objects. */
    static long epochNanos(InstantSource clock) {
        return clock instanceof SteadyClock steady
                ? steady.startEpochNanos + (System.nanoTime() - steady.startNanos)
                : epochNanos(clock.instant());
    }

    private static long epochNanos(Instant instant) {
        return TimeUnit.SECONDS.toNanos(instant.getEpochSecond()) + instant.getNano();
    }

    @Override
    public Instant instant() {
        return start.plusNanos(System.nanoTime() - startNanos);
    }
}
