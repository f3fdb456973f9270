package dev.lanekeeper.lanes;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * What the lanes are doing. Thread-safe; reads without stopping anything, so figures taken while work goes on are each
 * true of some moment, not all of the same one. All but {@link #live} walk the live lanes: milliseconds for a million.
 *
 * @param <K> the key of the lanes
 */
public final class LanesView<K> {
    private final Collection<Lane<K>> lanes;
    private final Map<K, Lane<K>> map;

    LanesView(Map<K, Lane<K>> map) {
        this.map = map;
        this.lanes = map.values();
    }

    /** Lanes that exist: keys with at least one task. */
    public int live() {
        return map.size();
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

    Optional<K> holderOnCurrentThread() {
        return lanes.stream()
                .filter(lane -> {
                    Ticket<K> holder = lane.holder();
                    return holder != null && holder.behindCurrentThread();
                })
                .map(lane -> lane.key)
                .findFirst();
    }

    private static <K> LaneLength<K> lengthOf(Lane<K> lane) {
        return new LaneLength<>(lane.key, lane.length(), held(lane));
    }

    private static boolean held(Lane<?> lane) {
        Ticket<?> holder = lane.holder();
        return holder != null && holder.holding();
    }

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
