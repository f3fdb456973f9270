package dev.lanekeeper.engine.intake;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The mailbox of the poll thread: records that came to an end, on whatever thread. Any thread offers, the poll thread
 * takes. A linked stack through the records themselves (Treiber, 1986); taking everything in one exchange leaves no room
 * for an old top to come back.
 */
public final class Completions {
    private static final VarHandle TOP;

    static {
        try {
            TOP = MethodHandles.lookup().findVarHandle(Completions.class, "top", Routed.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Routed top;

    /** The poll thread while it waits in {@link #await}. */
    private volatile @Nullable Thread waiter;

    /** Lets time pass on the calling thread. */
    private final LongConsumer parkNanos;

    /** Waits as {@link LockSupport} does. */
    public Completions() {
        this(LockSupport::parkNanos);
    }

    /**
     * Waits another way.
     *
     * @param parkNanos lets at most so many nanoseconds pass on the calling thread; may end early, and does so soon after the
     *     thread was unparked
     */
    public Completions(LongConsumer parkNanos) {
        this.parkNanos = parkNanos;
    }

    /** Reports the end of a record; once for each. */
    public void offer(Routed routed) {
        Routed below;
        do {
            below = top;
            routed.nextCompleted(below);
        } while (!TOP.compareAndSet(this, below, routed));
        Thread waiting = waiter;
        if (waiting != null) {
            LockSupport.unpark(waiting);
        }
    }

    /** Takes all that were offered, linked by {@link Routed#nextCompleted} in the order in which they were. */
    @Nullable
    Routed takeAll() {
        Routed latest = top == null ? null : (Routed) TOP.getAndSet(this, null);
        Routed first = null;
        while (latest != null) { // a stack gives them back in reverse
            Routed before = latest.nextCompleted();
            latest.nextCompleted(first);
            first = latest;
            latest = before;
        }
        return first;
    }

    /** Waits until something was offered, at most {@code nanos}; may return early. Poll thread only. */
    void await(long nanos) {
        waiter = Thread.currentThread();
        if (top == null && !Thread.currentThread().isInterrupted()) {
            parkNanos.accept(nanos);
        }
        waiter = null;
    }
}
