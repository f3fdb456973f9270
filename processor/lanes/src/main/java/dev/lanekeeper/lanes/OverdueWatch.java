package dev.lanekeeper.lanes;

import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Looks for tickets that hold their lane for too long. One walk over the live lanes now and then instead of a timer for
 * each task. Confined to the thread of the alarms.
 */
final class OverdueWatch<K> implements Runnable {
    private final LaneMap<K> map;
    private final Duration timeout;
    private final TimeoutPolicy policy;
    private final Consumer<? super Blocker<K>> listener;

    /** Those that were reported; forgotten with the ticket. */
    private final Set<Ticket<K>> reported = Collections.newSetFromMap(new WeakHashMap<>());

    OverdueWatch(LaneMap<K> map, Duration timeout, TimeoutPolicy policy, Consumer<? super Blocker<K>> listener) {
        this.map = map;
        this.timeout = timeout;
        this.policy = policy;
        this.listener = listener;
    }

    /** How often to look: late by a quarter of the timeout at most. */
    static Duration interval(Duration timeout) {
        Duration quarter = timeout.dividedBy(4);
        return quarter.compareTo(Duration.ofMillis(10)) < 0 ? Duration.ofMillis(10) : quarter;
    }

    @Override
    public void run() {
        long now = map.nanoTime().getAsLong();
        for (Ticket<K> ticket : map.holders()) {
            if (now - ticket.startedNanos() >= timeout.toNanos() && ticket.running()) {
                overdue(ticket, now);
            }
        }
    }

    private void overdue(Ticket<K> ticket, long now) {
        if (reported.add(ticket)) {
            try {
                listener.accept(Blocker.of(ticket, now));
            } catch (Throwable e) { // foreign code must not end the watch
                Thread.currentThread().getUncaughtExceptionHandler().uncaughtException(Thread.currentThread(), e);
            }
        }
        if (policy == TimeoutPolicy.FENCE) {
            ticket.fence(new TimeoutException(
                    "the task of lane " + ticket.standing().label() + " did not end within " + timeout));
        }
    }
}
