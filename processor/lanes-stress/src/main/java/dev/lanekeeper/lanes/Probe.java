package dev.lanekeeper.lanes;

import java.util.concurrent.atomic.AtomicInteger;

/** A ticket that counts what happens to it. Its start does nothing but settle it, or not even that. Thread-safe. */
final class Probe extends Ticket<Integer> {
    private final boolean settles;
    private final AtomicInteger starts = new AtomicInteger();
    private final AtomicInteger releases = new AtomicInteger();
    private volatile boolean inside;
    private volatile boolean releasedInside;

    private Probe(boolean settles) {
        this.settles = settles;
    }

    /** Settled by its own start. */
    static Probe brief() {
        return new Probe(true);
    }

    /** Holds its lane until somebody settles it. */
    static Probe lasting() {
        return new Probe(false);
    }

    @Override
    protected void start() {
        inside = true;
        starts.incrementAndGet();
        if (settles) {
            settle();
        }
        inside = false;
    }

    @Override
    protected void released() {
        if (inside) {
            releasedInside = true;
        }
        releases.incrementAndGet();
    }

    void awaitStart() {
        while (starts.get() == 0) {
            Thread.onSpinWait();
        }
    }

    int starts() {
        return starts.get();
    }

    int releases() {
        return releases.get();
    }

    /** Whether its lane was given to others while its start ran. */
    boolean releasedInside() {
        return releasedInside;
    }

    /** Lanes that run what is ready on the thread that finds it so. */
    static LaneMap<Integer> map() {
        return new LaneMap<>("stress", Runnable::run, () -> 0L, false);
    }
}
