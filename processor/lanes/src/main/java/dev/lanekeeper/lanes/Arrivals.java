package dev.lanekeeper.lanes;

import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;

/**
 * Tickets that come many at a time, for engines that bring their own: one worker is woken up for all of them, and not one for
 * each that finds none on its way. Made by {@link Lanes#arrivals}. Thread-safe.
 *
 * @param <K> the key of the lanes
 */
public final class Arrivals<K> {
    private final LaneMap<K> map;

    Arrivals(LaneMap<K> map) {
        this.map = map;
    }

    /**
     * As {@link Lanes#enqueue}; but the ticket may wait for a worker until {@link #start}, which has to be called soon.
     *
     * @throws IllegalStateException if the ticket has been enqueued before
     * @throws RejectedExecutionException if closed
     */
    public void enqueue(K key, Ticket<K> ticket) {
        if (map.enqueue(Objects.requireNonNull(key, "key"), ticket)) {
            map.startWithOthers(ticket);
        }
    }

    /** Sees to all that was enqueued. */
    public void start() {
        map.wake();
    }
}
