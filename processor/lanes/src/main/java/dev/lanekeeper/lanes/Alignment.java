package dev.lanekeeper.lanes;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/*
 * Why bulks don't deadlock and keep the order of arrival
 * ------------------------------------------------------
 * A bulk has a place in each of its lanes and runs when all of them are heads. It takes its places under one lock that only
 * bulks take, so that of two bulks one is before the other in *every* lane that they share: sorted keys alone would not do
 * (A before B in one lane, B before A in the next, each waiting for the other for ever).
 *
 * Number the bulks in the order of that lock. In each lane, bulks stand in this order. A circle of waiting would lead from
 * a bulk to one before it in some lane, with single tickets in between that stand in that lane only, and so on: each step
 * goes to a smaller number, and no such walk comes back to where it began. The pause gate is not in the graph, since it is
 * passed after all lanes. (This is how VLL and Calvin order lock requests.)
 *
 * No thread waits: each place that becomes a head counts down, and the last one starts the bulk. One more than the number
 * of places is counted, for the taking of places itself, so that the bulk can't start inside the lock. Keys are distinct,
 * or a bulk would wait for itself.
 *
 * A bulk that is given up before its turn must not keep the lanes that have come to it until the last one has. Whoever gives it
 * up first makes the ticket DONE, so that it never starts; then says `vacated`, and then leaves the seats that are heads. A seat
 * that becomes a head says so first and then reads `vacated`. One of the two sees the other, and of both, the CAS on the
 * seat lets one leave.
 */

/** The places of a ticket in several lanes. Thread-safe. */
final class Alignment<K> implements Standing<K> {
    private final LaneMap<K> map;
    private final Ticket<K> ticket;
    private final List<Seat> seats;
    private final AtomicInteger missing;

    /** Whether the ticket has been given up before its turn. */
    private volatile boolean vacated;

    /** The lanes have been retained, one for each distinct key, in sorted order. */
    Alignment(LaneMap<K> map, Ticket<K> ticket, List<Lane<K>> lanes) {
        this.map = map;
        this.ticket = ticket;
        this.seats = new ArrayList<>(lanes.size());
        for (Lane<K> lane : lanes) {
            seats.add(new Seat(lane));
        }
        this.missing = new AtomicInteger(seats.size() + 1);
    }

    /** Takes all places. The caller holds the lock of bulks. */
    void takePlaces() {
        for (Seat seat : seats) {
            if (seat.lane.enqueue(seat)) {
                seat.arrive();
            }
        }
    }

    /** Counts one of the places, or the taking of places, as done; returns the ticket to start with the last. */
    @Nullable
    Ticket<K> arrived() {
        return missing.decrementAndGet() == 0 ? ticket : null;
    }

    /** Whether there are lanes to leave: a bulk of no keys stands in none. */
    boolean takesPlaces() {
        return !seats.isEmpty();
    }

    /** Leaves the lanes that have come to it, and each other one as it comes; for a ticket that will never start. */
    void vacate() {
        vacated = true;
        for (Seat seat : seats) {
            if (seat.mayLeave()) {
                map.advance(seat.lane.release(seat));
            }
        }
    }

    @Override
    public LaneMap<K> map() {
        return map;
    }

    @Override
    public void heldBy(Ticket<K> ticket) {
        if (seats.isEmpty()) {
            map.addLaneless(ticket);
        }
    }

    @Override
    public @Nullable Place<K> leave(Ticket<K> ticket) {
        if (seats.isEmpty()) {
            map.removeLaneless(ticket);
            return null;
        }
        Place<K> first = null;
        for (Seat seat : seats) {
            Place<K> successor = seat.lane.release(seat);
            if (first == null) {
                first = successor;
            } else if (successor != null) {
                map.advance(successor);
            }
        }
        return first;
    }

    @Override
    public int length() {
        return seats.stream().mapToInt(seat -> seat.lane.length()).max().orElse(0);
    }

    @Override
    public boolean waitsFor(Thread thread) {
        for (Seat seat : seats) {
            if (seat.lane.waitsFor(thread)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public List<K> keys() {
        return seats.stream().map(seat -> seat.lane.key).toList();
    }

    /** The place in one of the lanes. */
    private final class Seat extends Place<K> {
        final Lane<K> lane;

        /** Set when it heads its lane; unset by whoever leaves the lane of a ticket that was given up. */
        private final AtomicBoolean head = new AtomicBoolean();

        Seat(Lane<K> lane) {
            this.lane = lane;
        }

        boolean mayLeave() {
            return head.get() && head.compareAndSet(true, false);
        }

        void arrive() {
            lane.setHolder(this);
            head.set(true);
            missing.decrementAndGet(); // never the last while places are being taken
        }

        @Override
        @Nullable
        Ticket<K> atHead() {
            lane.setHolder(this);
            head.set(true);
            if (vacated) {
                return mayLeave() ? new Leaver<>(map, lane, this) : null;
            }
            return arrived();
        }

        @Override
        Ticket<K> ticket() {
            return ticket;
        }
    }
}
