package dev.lanekeeper.lanes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A place in one lane, and the work that is to be done there. This is what an engine extends so that one object is
 * queue node, work and state at once; everyone else uses {@link Lanes#submit} and {@link Lanes#submitAsync}.
 *
 * <p>{@link #start} is called on the lanes' executor when the ticket heads its lane. The lane stays held until {@link
 * #settle}, from any thread, during {@code start} or after it; it is released when {@code start} has returned
 * <em>and</em> the ticket is settled, whichever comes last. {@link #rearm} has {@code start} called again instead, the
 * lane held meanwhile: for a retry, or after a wait for capacity. Each {@code start} must lead to exactly one of the
 * two; of several, the first counts.
 *
 * <p>Thread-safe. One word decides:
 *
 * <pre>
 *   QUEUED --start--> RUNNING --returned--> RETURNED --settle--> DONE
 *     ^                 |  \--settle--> SETTLED --returned--> DONE
 *     |                 \--rearm--> REARMED --returned--> QUEUED (and ready)
 *     \-----------------------------------rearm--- RETURNED
 * </pre>
 *
 * @param <K> the key of the lanes
 */
public abstract class Ticket<K> implements Runnable {
    private static final int QUEUED = 0;
    private static final int RUNNING = 1;
    private static final int RETURNED = 2;
    private static final int SETTLED = 3;
    private static final int REARMED = 4;
    private static final int DONE = 5;

    private static final VarHandle NEXT;
    private static final VarHandle STATE;
    private static final Ticket<?> RELEASED = new Released();

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            NEXT = lookup.findVarHandle(Ticket.class, "next", Ticket.class);
            STATE = lookup.findVarHandle(Ticket.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The successor, or {@link #RELEASED}; see {@link Lane}. Also cuts the chain of old tickets for the collector. */
    @SuppressWarnings("unused") // through NEXT
    private volatile @Nullable Ticket<?> next;

    @SuppressWarnings("unused") // through STATE
    private volatile int state;

    /** Set before the ticket is enqueued, never changed after. */
    private @Nullable Lane<K> lane;

    /** The thread inside {@link #start}; read by that same thread, to know itself, and by views. */
    private @Nullable Thread runner;

    /** Does the work, or begins it. Must not throw: what it throws settles the ticket and reaches the executor. */
    protected abstract void start();

    /**
     * Called once, after the lane has been released, on the thread that released it. The place to tell others: nothing
     * of this ticket's lane waits for what happens here, if {@link #tellsOthers} said so.
     */
    protected void released() {}

    /** Whether {@link #released} may run foreign code, so that the successor is handed to another thread first. */
    protected boolean tellsOthers() {
        return false;
    }

    /** Called instead of {@link #start} when the executor refuses the ticket; it counts as settled. */
    protected void rejected(Throwable cause) {}

    /**
     * Ends the work of this ticket.
     *
     * @return {@code false} if it was settled or re-armed already
     */
    public final boolean settle() {
        if (STATE.compareAndSet(this, RUNNING, SETTLED)) {
            return true; // start() is still on its thread, which goes on from here when it returns
        }
        if (STATE.compareAndSet(this, RETURNED, DONE)) {
            Ticket<K> successor = release();
            if (successor != null) {
                lane().home.ready(successor);
            }
            return true;
        }
        return false;
    }

    /**
     * Has {@link #start} called again on the executor, without giving up the lane.
     *
     * @return {@code false} if the ticket was settled or re-armed already
     */
    public final boolean rearm() {
        if (STATE.compareAndSet(this, RUNNING, REARMED)) {
            return true;
        }
        if (STATE.compareAndSet(this, RETURNED, QUEUED)) {
            lane().home.ready(this);
            return true;
        }
        return false;
    }

    /** Called by the lanes' executor; drains the lane from this ticket on. Not for other callers. */
    @Override
    public final void run() {
        if (lane != null) {
            lane.home.drain(this);
        }
    }

    /** One turn on this thread. Returns the ticket that the caller is to start, mostly the successor, if there is one. */
    final @Nullable Ticket<K> turn() {
        if (!STATE.compareAndSet(this, QUEUED, RUNNING)) {
            return null;
        }
        lane().setHolder(this);
        runner = Thread.currentThread();
        try {
            start();
        } catch (Throwable t) {
            settle();
            Ticket<K> successor = afterStart();
            if (successor != null) {
                lane().home.ready(successor);
            }
            throw t;
        }
        return afterStart();
    }

    private @Nullable Ticket<K> afterStart() {
        runner = null; // before the word below: after it another thread may be inside start()
        if (STATE.compareAndSet(this, RUNNING, RETURNED)) {
            return null;
        }
        if (STATE.compareAndSet(this, REARMED, QUEUED)) {
            return lane().home.handOn(this);
        }
        state = DONE;
        return release();
    }

    /** Ends a ticket that the executor refused; returns the successor, which the caller is to start. */
    final @Nullable Ticket<K> reject(Throwable cause) {
        if (!STATE.compareAndSet(this, QUEUED, DONE)) {
            return null;
        }
        rejected(cause);
        Ticket<K> successor = lane().release(this);
        released();
        return successor; // not handed on from here: with an executor that is shut down that would recurse
    }

    private @Nullable Ticket<K> release() {
        Lane<K> held = lane();
        boolean foreignCode = tellsOthers();
        Ticket<K> successor = held.release(this);
        if (successor != null && foreignCode) {
            successor = held.home.handOn(successor);
        }
        return tell(successor);
    }

    /** Calls {@link #released}; returns {@code successor}, unless another thread has had it started meanwhile. */
    @Nullable
    Ticket<K> tell(@Nullable Ticket<K> successor) {
        released();
        return successor;
    }

    /** Makes {@code successor} next; {@code false} if this ticket was released before. */
    final boolean linkTo(Ticket<K> successor) {
        return NEXT.compareAndSet(this, null, successor);
    }

    @SuppressWarnings("unchecked") // linkTo admits tickets of the same lane only
    final @Nullable Ticket<K> unlink() {
        return (Ticket<K>) NEXT.getAndSet(this, RELEASED);
    }

    final void requireNew() {
        if (lane != null) {
            throw new IllegalStateException("enqueued before, in lane " + lane.key + ": " + this);
        }
    }

    final void admittedTo(Lane<K> lane) {
        this.lane = lane;
    }

    final Lane<K> lane() {
        if (lane == null) {
            throw new IllegalStateException("not enqueued: " + this);
        }
        return lane;
    }

    /** Whether this ticket holds its lane: started, and not settled yet. */
    final boolean holding() {
        int now = state;
        return now == RUNNING || now == RETURNED || now == SETTLED || now == REARMED;
    }

    /** Whether the calling thread is inside a {@link #start} of this ticket's lane, and so would wait for itself. */
    final boolean behindCurrentThread() {
        Ticket<K> holder = lane().holder();
        return holder != null && holder.runner == Thread.currentThread();
    }

    private static final class Released extends Ticket<Void> {
        @Override
        protected void start() {
            throw new AssertionError("the mark of a released ticket is never queued");
        }
    }
}
