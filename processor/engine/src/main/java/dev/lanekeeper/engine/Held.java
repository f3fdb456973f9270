package dev.lanekeeper.engine;

import java.time.Duration;

/**
 * How long a record has been held, waiting for a failure to pass by itself, and how often it was tried meanwhile. Handed along
 * with the record; a record that was never held has none.
 */
final class Held {
    private final long sinceNanos;
    private long lastNanos;
    private int tries;

    /** Whether the latest failure is one of those that are waited for. */
    private boolean now;

    Held(long sinceNanos) {
        this.sinceNanos = sinceNanos;
        this.lastNanos = sinceNanos;
    }

    /** Another try has failed that began at {@code nanos}. */
    void tried(long nanos) {
        lastNanos = nanos;
        tries++;
        now = true;
    }

    /** The latest failure was of another kind. */
    void over() {
        now = false;
    }

    boolean now() {
        return now;
    }

    int tries() {
        return tries;
    }

    /** From the beginning of the first try that failed in this way to that of the last. */
    Duration time() {
        return Duration.ofNanos(lastNanos - sinceNanos);
    }
}
