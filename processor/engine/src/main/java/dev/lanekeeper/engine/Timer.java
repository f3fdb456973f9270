package dev.lanekeeper.engine;

import java.time.Duration;

/** Wakes up what waits for a time, on a thread that must not block. Thread-safe. */
interface Timer {
    /** Runs {@code task} after {@code delay}; {@code false} if the timer is closed, and then never. */
    boolean schedule(Duration delay, Runnable task);

    /** Forgets what has not been run. */
    void close();
}
