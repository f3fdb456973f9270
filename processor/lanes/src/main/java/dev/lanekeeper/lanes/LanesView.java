package dev.lanekeeper.lanes;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * What the lanes are doing. Thread-safe; reads without stopping anything, so figures taken while work goes on are each
 * true of some moment, not all of the same one. All but {@link #live} walk the live lanes: milliseconds for a million.
 *
 * @param <K> the key of the lanes
 */
public final class LanesView<K> {
    private final LaneMap<K> map;
    private final Collection<Lane<K>> lanes;

    LanesView(LaneMap<K> map) {
        this.map = map;
        this.lanes = map.live();
    }

    /** Lanes that exist: keys with at least one task. */
    public int live() {
        return lanes.size();
    }

    /** Tasks started and not ended: the lanes that are held. */
    public int inFlight() {
        int held = 0;
        for (Lane<K> lane : lanes) {
            if (held(lane)) {
                held++;
            }
        }
        return held;
    }

    /** Tasks that wait for their turn. */
    public long queued() {
        long waiting = 0;
        for (Lane<K> lane : lanes) {
            waiting += lengthOf(lane).queued();
        }
        return waiting;
    }

    /** The {@code limit} longest lanes, longest first. */
    public List<LaneLength<K>> longest(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("limit must not be negative: " + limit);
        }
        Comparator<LaneLength<K>> byLength = Comparator.comparingInt(LaneLength::length);
        PriorityQueue<LaneLength<K>> shortestFirst = new PriorityQueue<>(byLength);
        for (Lane<K> lane : lanes) {
            shortestFirst.add(lengthOf(lane));
            if (shortestFirst.size() > limit) {
                shortestFirst.poll();
            }
        }
        List<LaneLength<K>> result = new ArrayList<>(shortestFirst);
        result.sort(byLength.reversed());
        return result;
    }

    /**
     * The tickets that hold lanes; one that holds several is named for each. For engines that bring their own tickets, and
     * know more of them.
     */
    public List<Held<K>> held() {
        List<Held<K>> held = new ArrayList<>();
        for (Lane<K> lane : lanes) {
            Ticket<K> holder = lane.holder();
            if (holder != null && holder.holding()) {
                Optional<String> thread = Optional.ofNullable(holder.runner()).map(Thread::getName);
                held.add(new Held<>(lane.key, holder, thread, Math.max(0, lane.length() - 1)));
            }
        }
        return held;
    }

    /** What holds lanes, for how long and on which thread; oldest first. */
    public List<Blocker<K>> blockers() {
        return Blocker.of(map.holders(), map.nanoTime().getAsLong());
    }

    Optional<Blocker<K>> holderOn(Thread thread) {
        for (Ticket<K> ticket : map.holders()) {
            if (ticket.runsOn(thread)) {
                return Optional.of(Blocker.of(ticket, map.nanoTime().getAsLong()));
            }
        }
        return Optional.empty();
    }

    private static <K> LaneLength<K> lengthOf(Lane<K> lane) {
        return new LaneLength<>(lane.key, lane.length(), held(lane));
    }

    private static boolean held(Lane<?> lane) {
        Ticket<?> holder = lane.holder();
        return holder != null && holder.holding();
    }

    /**
     * A lane and the ticket that holds it.
     *
     * @param key whose lane
     * @param ticket what holds it
     * @param thread the name of the thread that is inside it; empty if none is
     * @param behind tasks that wait for it
     * @param <K> the key of the lanes
     */
    public record Held<K>(K key, Ticket<K> ticket, Optional<String> thread, int behind) {}

    /**
     * How long one lane is.
     *
     * @param key whose lane
     * @param length tasks in it, the running one included
     * @param held whether one of them has been started and not ended
     */
    public record LaneLength<K>(K key, int length, boolean held) {
        /** Tasks that wait. */
        public int queued() {
            return held ? Math.max(0, length - 1) : length;
        }
    }
}
