package dev.lanekeeper.lanes;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Marks at the ends of lines: when all have been passed, everything that was in line before them has had its turn.
 * Thread-safe.
 */
final class Fences<K> {
    private final Runnable then;

    /** Fences not passed, and one for their setting. */
    private final AtomicInteger missing = new AtomicInteger(1);

    /** {@code then} runs once, on the thread that passes the last fence; it must not block. */
    Fences(Runnable then) {
        this.then = then;
    }

    /** Another fence, to be put in a lane. */
    Ticket<K> fence() {
        missing.incrementAndGet();
        return new Fence();
    }

    /** Counts a fence, or their setting, as passed. */
    void passed() {
        if (missing.decrementAndGet() == 0) {
            then.run();
        }
    }

    private final class Fence extends Ticket<K> {
        @Override
        boolean light() {
            return true;
        }

        @Override
        boolean passesGate() {
            return true;
        }

        @Override
        boolean endsWithStart() {
            return true;
        }

        @Override
        protected void start() {}

        @Override
        protected void released() {
            passed();
        }
    }
}
