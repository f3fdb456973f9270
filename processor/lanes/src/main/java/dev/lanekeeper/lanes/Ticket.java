package dev.lanekeeper.lanes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A place in line, and the work that is to be done there. This is what an engine extends so that one object is queue node,
 * work and state at once; everyone else uses the methods of {@link Lanes}.
 *
 * <p>{@link #start} is called on the lanes' executor when the ticket heads its lane, or all its lanes, and no pause is on.
 * The lane stays held until {@link #settle}, from any thread, during {@code start} or after it; it is released when
 * {@code start} has returned <em>and</em> the ticket is settled, whichever comes last. {@link #rearm} has {@code start}
 * called again instead, the lane held meanwhile: for a retry, or after a wait for capacity. Each {@code start} must lead to
 * exactly one of the two; of several, the first counts.
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
 * A hold on a free lane goes from QUEUED to RETURNED at once: see {@link #takeUp}.
 *
 * @param <K> the key of the lanes
 */
public abstract class Ticket<K> extends Place<K> {
    /** As the time of a turn: nobody has read the clock. */
    static final long UNTIMED = Long.MIN_VALUE;

    private static final byte QUEUED = 0;
    private static final byte RUNNING = 1;
    private static final byte RETURNED = 2;
    private static final byte SETTLED = 3;
    private static final byte REARMED = 4;
    private static final byte DONE = 5;

    private static final VarHandle STATE;
    private static final VarHandle STARTED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            STATE = lookup.findVarHandle(Ticket.class, "state", byte.class);
            STARTED = lookup.findVarHandle(Ticket.class, "startedNanos", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused") // through STATE
    private volatile byte state;

    /** Whether a pause need not wait for this ticket although it holds its lane; cleared before each start. */
    private volatile boolean standingBy;

    /** Set before the ticket is enqueued, never changed after. */
    private @Nullable Standing<K> standing;

    /** The thread inside {@link #start}. Plain: it is read by that same thread, to know itself, and by views. */
    private @Nullable Thread runner;

    /** When the last turn began, on the lanes' clock, or {@link #UNTIMED}. Written before the state, read after it. */
    @SuppressWarnings("unused") // through STARTED
    private long startedNanos;

    /**
     * Does the work, or begins it. Must not throw: if it does, the ticket is settled and the thread's handler of uncaught
     * exceptions told. That one also hears of what the methods below throw.
     */
    protected abstract void start();

    /** Asked when it is this ticket's turn: whether there is nothing to do any more, so that it ends without {@link #start}. */
    protected boolean cancelled() {
        return false;
    }

    /**
     * Called once, after the lane has been released, on the thread that released it. The place to tell others: nothing of
     * this ticket's lane waits for what happens here, if {@link #tellsOthers} said so.
     */
    protected void released() {}

    /** Whether {@link #released} may run foreign code, so that the successor is handed to another thread first. */
    protected boolean tellsOthers() {
        return false;
    }

    /** Called instead of {@link #start} when the executor refuses the ticket; it counts as settled. */
    protected void rejected(Throwable cause) {}

    /** Whether {@link #start} runs no foreign code and never blocks, so that any thread may call it on the spot. */
    boolean light() {
        return false;
    }

    /** Whether the gate lets it in even if closed. */
    boolean passesGate() {
        return false;
    }

    /** Whether nobody but its own {@link #start} ends this ticket, so that it has ended when that returns. */
    boolean endsWithStart() {
        return false;
    }

    /** Ends the work early because it took too long, if nothing of it is on a thread; {@code false} if that can't be. */
    boolean fence(Throwable cause) {
        return false;
    }

    /**
     * Ends the work of this ticket.
     *
     * @return {@code false} if it was settled or re-armed already
     */
    public final boolean settle() {
        if (state == RUNNING && STATE.compareAndSet(this, RUNNING, SETTLED)) { // a swap that fails costs as much
            return true; // start() is still on its thread, which goes on from here when it returns
        }
        if (STATE.compareAndSet(this, RETURNED, DONE)) {
            standing().map().advance(release());
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
            reportEnd();
            standing().map().execute(this);
            return true;
        }
        return false;
    }

    /**
     * Says that nothing of this ticket's work is going on until it is re-armed: a pause need not wait for it. Called by
     * whoever is to see to the re-arming, before that.
     */
    public final void standBy() {
        standingBy = true;
        reportEnd();
    }

    /**
     * What waits behind this ticket at the moment, so that work can be done for several tickets of one lane at once. To be
     * asked of the ticket that holds its only lane, and then of what this returned, by whoever is to settle that one, before
     * that: as long as the lane is held nothing behind leaves the line, and all that is found comes next, in this order. It is
     * started in its turn all the same.
     *
     * @return {@code null} if nothing waits there, if that has not been linked yet, if it stands in several lanes, or if this
     *     one does, or has been released
     */
    public final @Nullable Ticket<K> behind() {
        return ticketBehind();
    }

    /** Ends a ticket whose turn has not come if it stands in several lanes, so that those that have come to it go on. */
    final void giveUpPlaces() {
        if (state == QUEUED
                && standing instanceof Alignment<K> several
                && several.takesPlaces()
                && STATE.compareAndSet(this, QUEUED, DONE)) {
            several.vacate();
        }
    }

    /**
     * One turn on this thread.
     *
     * @param now the time, or {@link #UNTIMED} if nobody needs to know it
     * @return a place that heads its lane now, for the caller to see to
     */
    final @Nullable Place<K> turn(long now) {
        Standing<K> mine = standing();
        Gate<K> gate = mine.map().gate();
        do {
            if (Hooks.cancelled(this)) {
                return STATE.compareAndSet(this, QUEUED, DONE) ? release() : null;
            }
            STARTED.setOpaque(this, now);
            if (standingBy) {
                standingBy = false;
            }
            mine.heldBy(this);
            // the order of the next two, write then read, is what a pause relies on: see Gate
            if (!STATE.compareAndSet(this, QUEUED, RUNNING)) {
                return null;
            }
            if (!gate.closed() || passesGate()) {
                return runHere();
            }
            if (!STATE.compareAndSet(this, RUNNING, QUEUED)) {
                return afterStart(); // settled or re-armed by somebody else in this instant
            }
            gate.ended(this);
        } while (!gate.park(this));
        return null;
    }

    /**
     * One turn of a new ticket that heads its lane and whose work is what the calling thread does next, without a call of
     * {@link #start}. As nobody else knows of the ticket, one write has it go all the way; the read of the gate comes after it,
     * as in {@link #turn}.
     *
     * @return {@code false} if it waits at the gate, and {@link #start} is called when that has opened
     */
    final boolean takeUp(long now) {
        Standing<K> mine = standing();
        Gate<K> gate = mine.map().gate();
        STARTED.setOpaque(this, now);
        mine.heldBy(this);
        do {
            state = RETURNED;
            if (!gate.closed()) {
                return true;
            }
            state = QUEUED;
            gate.ended(this);
        } while (!gate.park(this));
        return false;
    }

    private @Nullable Place<K> runHere() {
        Thread thread = Thread.currentThread();
        runner = thread;
        try {
            start();
        } catch (Throwable t) { // against the rules; the lane goes on all the same
            settle();
            Hooks.report(t);
        }
        return afterStart();
    }

    private @Nullable Place<K> afterStart() {
        runner = null; // before the word below: after it another thread may be inside start()
        if (endsWithStart()) {
            state = DONE;
            return release();
        }
        if (state == RUNNING && STATE.compareAndSet(this, RUNNING, RETURNED)) {
            return null;
        }
        if (state == REARMED) { // settled or re-armed during start: nobody else changes the word any more
            state = QUEUED;
            reportEnd();
            standing().map().execute(this);
            return null;
        }
        state = DONE;
        return release();
    }

    /** Ends a ticket that the executor refused. Returns a place that heads its lane now, for the caller to see to. */
    final @Nullable Place<K> reject(Throwable cause) {
        if (!STATE.compareAndSet(this, QUEUED, DONE)) {
            return null;
        }
        Hooks.rejected(this, cause);
        Place<K> successor = standing().leave(this);
        reportEnd();
        Hooks.released(this);
        return successor; // not handed on from here: with an executor that is shut down that would recurse
    }

    private @Nullable Place<K> release() {
        Standing<K> mine = standing();
        boolean foreignCode = Hooks.tellsOthers(this);
        Place<K> successor = mine.leave(this);
        reportEnd();
        if (successor != null && foreignCode) {
            mine.map().advance(successor);
            successor = null;
        }
        return tell(successor);
    }

    /** Calls {@link #released}; returns {@code successor}, unless another thread has seen to it meanwhile. */
    @Nullable
    Place<K> tell(@Nullable Place<K> successor) {
        Hooks.released(this);
        return successor;
    }

    /** Tells a pause that waits for this ticket; called after the word that says so has been written. */
    private void reportEnd() {
        Gate<K> gate = standing().map().gate();
        if (gate.closed()) {
            gate.ended(this);
        }
    }

    @Override
    final Ticket<K> atHead() {
        return this;
    }

    @Override
    final Ticket<K> ticket() {
        return this;
    }

    final void requireNew() {
        if (standing != null) {
            throw new IllegalStateException("enqueued before, in lane " + standing.label() + ": " + this);
        }
    }

    final void standsIn(Standing<K> standing) {
        this.standing = standing;
    }

    final Standing<K> standing() {
        if (standing == null) {
            throw new IllegalStateException("not enqueued");
        }
        return standing;
    }

    /** Called before anyone attaches a dependent to the future of this ticket. */
    void watched() {}

    /** Throws if the calling thread can't wait for this ticket without waiting for itself. */
    final void refuseToBeAwaitedHere() {
        Thread thread = Thread.currentThread();
        if (standing().waitsFor(thread)) {
            throw new IllegalStateException("a task of lane " + standing().label()
                    + " waits for another task of the same lane, which can't run before it has ended;"
                    + " compose the stages instead of waiting");
        }
        if (standing().map().gate().exclusiveOn(thread)) {
            throw new IllegalStateException("a task that runs exclusively waits for lane "
                    + standing().label() + ", which can't run before it has ended");
        }
    }

    /** Whether a pause has to wait for this ticket. */
    final boolean running() {
        return holding() && !standingBy;
    }

    /** Whether this ticket holds its lane: started, and not settled yet. */
    final boolean holding() {
        byte now = state;
        return now == RUNNING || now == RETURNED || now == SETTLED || now == REARMED;
    }

    /** Whether it waits for somebody else to settle it, with nothing of it on the thread that started it. */
    final boolean returned() {
        return state == RETURNED;
    }

    final boolean runsOn(Thread thread) {
        return runner == thread;
    }

    final @Nullable Thread runner() {
        return runner;
    }

    /** When the last turn began; if that was not timed, now, and from now on. */
    protected final long startedNanos() {
        long started = (long) STARTED.getOpaque(this);
        if (started == UNTIMED) {
            started = standing().map().nanoTime().getAsLong();
            STARTED.setOpaque(this, started);
        }
        return started;
    }
}
