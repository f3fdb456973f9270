package dev.lanekeeper.lanes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/*
 * Why a lane lets in one ticket at a time, in order, and is forgotten when idle
 * -----------------------------------------------------------------------------
 * A lane is a queue in the manner of the MCS lock (Mellor-Crummey and Scott, 1991): `tail` is the last place, each place
 * knows its successor, and there is no head pointer because the head is whoever runs. Two atomic exchanges decide
 * everything:
 *
 *   enqueue   p = XCHG(tail, t);  p == null or not CAS(p.next, null, t)  =>  t heads the lane
 *   release   s = XCHG(t.next, RELEASED);  s != null                     =>  s heads the lane
 *
 * The exchange on `tail` is the arrival order. For a place p and its successor t, the CAS of t's enqueuer and the XCHG of
 * p's releaser meet on the one word p.next: whoever comes second sees to t, so t heads its lane once and nobody waits for
 * a half-linked place.
 *
 * A lane must vanish when idle, or ten million customers would stay in memory, and it must never exist twice, or one
 * customer would have two lines. `refs` counts the places that were admitted and not released. It is raised *before*
 * a place is enqueued and lowered after it is released, so that a lane with a place in it always has refs > 0. When
 * it falls to 0, the releaser tries to swap 0 for DEAD, and only if that succeeds unmaps the lane:
 *
 *  - an arrival that raised refs first makes the swap fail: the lane lives on;
 *  - an arrival that comes later finds a negative count: it knows that this lane is dead, helps to unmap it and looks
 *    again. (It has added 1 to a dead count, which stays negative: nothing reads it any more.)
 *
 * Mostly a lane has one place only. So the releaser first tries to swap 1 for DEAD: then its place was the only one that was
 * ever admitted and not released, it has no successor and will have none, and there is nothing to exchange.
 *
 * Unmapping is by identity, so a slow releaser can't unmap the lane that took the place of its own. A dead lane is
 * never revived and places are never reused, so no word is ever seen to return to an old value with a new meaning.
 *
 * What follows, by key over all lanes it ever had: at most one place between head and release; heads in arrival
 * order, since a later lane holds later places only; no lane left in the map when no place is left.
 */

/** The line of one key. Thread-safe without locks; see the argument above. */
final class Lane<K> implements Standing<K> {
    private static final int DEAD = Integer.MIN_VALUE;
    private static final VarHandle REFS;
    private static final VarHandle TAIL;
    private static final VarHandle HOLDER;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            REFS = lookup.findVarHandle(Lane.class, "refs", int.class);
            TAIL = lookup.findVarHandle(Lane.class, "tail", Place.class);
            HOLDER = lookup.findVarHandle(Lane.class, "holder", Place.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final K key;
    private final LaneMap<K> map;

    /** Places admitted and not released; negative once the lane is dead. */
    @SuppressWarnings("unused") // through REFS
    private volatile int refs;

    @SuppressWarnings("unused") // through TAIL
    private volatile @Nullable Place<K> tail;

    /** The place that heads the lane, from just before its ticket starts; for whoever looks on. */
    private volatile @Nullable Place<K> holder;

    /** Born with one reference: its creator is admitted. */
    Lane(K key, LaneMap<K> map) {
        this.key = key;
        this.map = map;
        REFS.set(this, 1);
    }

    /** Admits one more place; {@code false} if this lane is dead and the key has to be looked up again. */
    boolean retain() {
        return (int) REFS.getAndAdd(this, 1) >= 0;
    }

    /** Gives back one admission; unmaps the lane with the last one. */
    void unretain() {
        if ((int) REFS.getAndAdd(this, -1) == 1 && REFS.compareAndSet(this, 0, DEAD)) {
            map.unmap(this);
        }
    }

    /** Puts an admitted place at the end of the line; {@code true} if it heads the line, for the caller to see to. */
    boolean enqueue(Place<K> place) {
        @SuppressWarnings("unchecked")
        Place<K> previous = (Place<K>) TAIL.getAndSet(this, place);
        return previous == null || !previous.linkTo(place);
    }

    /** Lets the head go; returns its successor, which heads the line now, for the caller to see to. */
    @Nullable
    Place<K> release(Place<K> place) {
        if (refs == 1 && REFS.compareAndSet(this, 1, DEAD)) {
            map.unmap(this);
            return null;
        }
        setHolder(null);
        Place<K> successor = place.unlink();
        unretain();
        return successor;
    }

    void setHolder(@Nullable Place<K> place) {
        HOLDER.setOpaque(this, place);
    }

    /** The ticket that heads this lane, if it has been seen to. */
    @Nullable
    Ticket<K> holder() {
        Place<K> place = holder;
        return place == null ? null : place.ticket();
    }

    /** Places admitted and not released, the head included; 0 if the lane is dead. */
    @Override
    public int length() {
        return Math.max(0, refs);
    }

    // -- as the standing of a ticket in this lane alone

    @Override
    public LaneMap<K> map() {
        return map;
    }

    @Override
    public void heldBy(Ticket<K> ticket) {
        setHolder(ticket);
    }

    @Override
    public @Nullable Place<K> leave(Ticket<K> ticket) {
        return release(ticket);
    }

    @Override
    public boolean waitsFor(Thread thread) {
        Ticket<K> ticket = holder();
        return ticket != null && ticket.runsOn(thread);
    }

    @Override
    public List<K> keys() {
        return List.of(key);
    }
}
