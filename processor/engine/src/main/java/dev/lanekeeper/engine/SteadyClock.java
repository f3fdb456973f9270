package dev.lanekeeper.engine;

import java.time.Instant;
import java.time.InstantSource;

/**
 * Wall-clock time that never goes back within one engine: the system's time at construction plus what has elapsed since.
 * Two moments taken one after the other compare rightly whatever is done to the system's clock. Immutable, thread-safe.
 */
final class SteadyClock implements InstantSource {
    private final Instant start = Instant.now();
    private final long startNanos = System.nanoTime();

    @Override
    public Instant instant() {
        return start.plusNanos(System.nanoTime() - startNanos);
    }
}
