package dev.lanekeeper.lanes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/*
 * Why a lane lets in one ticket at a time, in order, and is forgotten when idle
 * -----------------------------------------------------------------------------
 * A lane is a queue in the manner of the MCS lock (Mellor-Crummey and Scott, 1991): `tail` is the last ticket, each
 * ticket knows its successor, and there is no head pointer because the head is whoever runs. Two atomic exchanges
 * decide everything:
 *
 *   enqueue   p = XCHG(tail, t);  p == null or not CAS(p.next, null, t)  =>  t is the head and becomes ready
 *   release   s = XCHG(t.next, RELEASED);  s != null                     =>  s is the head and becomes ready
 *
 * The exchange on `tail` is the arrival order. For a ticket p and its successor t, the CAS of t's enqueuer and the XCHG
 * of p's releaser meet on the one word p.next: whoever comes second starts t, so t is started once and nobody waits for
 * a half-linked ticket.
 *
 * A lane must vanish when idle, or ten million customers would stay in memory, and it must never exist twice, or one
 * customer would have two lines. `refs` counts the tickets that were admitted and not released. It is raised *before*
 * the ticket is enqueued and lowered after it is released, so that a lane with a ticket in it always has refs > 0. When
 * it falls to 0, the releaser tries to swap 0 for DEAD, and only if that succeeds unmaps the lane:
 *
 *  - an arrival that raised refs first makes the swap fail: the lane lives on;
 *  - an arrival that comes later finds a negative count: it knows that this lane is dead, helps to unmap it and looks
 *    again. (It has added 1 to a dead count, which stays negative: nothing reads it any more.)
 *
 * Unmapping is by identity, so a slow releaser can't unmap the lane that took the place of its own. A dead lane is
 * never revived and tickets are never reused, so no word is ever seen to return to an old value with a new meaning.
 *
 * What follows, by key over all lanes it ever had: at most one ticket between ready and release; ready in arrival
 * order, since a later lane holds later tickets only; no lane left in the map when no ticket is left.
 */

/** The line of one key. Thread-safe without locks; see the argument above. */
final class Lane<K> {
    private static final int DEAD = Integer.MIN_VALUE;
    private static final VarHandle REFS;
    private static final VarHandle TAIL;
    private static final VarHandle HOLDER;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            REFS = lookup.findVarHandle(Lane.class, "refs", int.class);
            TAIL = lookup.findVarHandle(Lane.class, "tail", Ticket.class);
            HOLDER = lookup.findVarHandle(Lane.class, "holder", Ticket.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final K key;
    final Lanes<K> home;

    /** Tickets admitted and not released; negative once the lane is dead. */
    @SuppressWarnings("unused") // through REFS
    private volatile int refs;

    @SuppressWarnings("unused") // through TAIL
    private volatile @Nullable Ticket<K> tail;

    /** The ticket that holds the lane; for views only, written by whoever starts and releases it. */
    private volatile @Nullable Ticket<K> holder;

    /** Born with one reference: its creator is admitted. */
    Lane(K key, Lanes<K> home) {
        this.key = key;
        this.home = home;
        REFS.set(this, 1);
    }

    /** Admits one more ticket; {@code false} if this lane is dead and the key has to be looked up again. */
    boolean retain() {
        return (int) REFS.getAndAdd(this, 1) >= 0;
    }

    /** Gives back one admission; unmaps the lane with the last one. */
    void unretain() {
        if ((int) REFS.getAndAdd(this, -1) == 1 && REFS.compareAndSet(this, 0, DEAD)) {
            home.unmap(this);
        }
    }

    /** Places an admitted ticket at the end of the line; {@code true} if it heads the line and is to be started. */
    boolean enqueue(Ticket<K> ticket) {
        @SuppressWarnings("unchecked")
        Ticket<K> previous = (Ticket<K>) TAIL.getAndSet(this, ticket);
        return previous == null || !previous.linkTo(ticket);
    }

    /** Lets the holder go; returns its successor, which now heads the line and is to be started by the caller. */
    @Nullable
    Ticket<K> release(Ticket<K> ticket) {
        setHolder(null);
        Ticket<K> successor = ticket.unlink();
        unretain();
        return successor;
    }

    void setHolder(@Nullable Ticket<K> ticket) {
        HOLDER.setOpaque(this, ticket);
    }

    @Nullable
    Ticket<K> holder() {
        return holder;
    }

    /** Tickets admitted and not released, the holder included; 0 if the lane is dead. */
    int length() {
        return Math.max(0, refs);
    }
}
