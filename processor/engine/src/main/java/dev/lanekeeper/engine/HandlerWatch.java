package dev.lanekeeper.engine;

import dev.lanekeeper.engine.handler.HandlerTimeout;
import dev.lanekeeper.engine.handler.HandlerTimeoutException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * Not a timer for each attempt: an attempt enters a set and leaves it, and one alarm looks through the set. As all have the
 * same limit, nothing that begins after a look can be due before a whole limit has passed, so the next look is set for the
 * earliest of those that run, and is never late. The set is no larger than the concurrency.
 */

/** Reports attempts that take longer than they may, and ends those that may be ended. Thread-safe. */
final class HandlerWatch {
    private static final Logger log = LoggerFactory.getLogger(HandlerWatch.class);

    private final HandlerTimeout timeout;

    /** Whether an attempt may be failed from here: only one that lives on in a stage. */
    private final boolean fences;

    private final Timer timer;
    private final LongSupplier nanoTime;
    private final Executor strangers;
    private final LongAdder overdue;
    private final Set<WatchedAttempt> running = ConcurrentHashMap.newKeySet();

    /**
     * @param fences whether attempts outlive their handler's return
     * @param strangers runs what handlers registered for the case
     * @param overdue counts the attempts that were reported
     */
    HandlerWatch(
            HandlerTimeout timeout,
            boolean fences,
            Timer timer,
            LongSupplier nanoTime,
            Executor strangers,
            LongAdder overdue) {
        this.timeout = timeout;
        this.fences = fences && timeout.policy() == HandlerTimeout.Policy.FENCE;
        this.timer = timer;
        this.nanoTime = nanoTime;
        this.strangers = strangers;
        this.overdue = overdue;
    }

    /** Begins to look. */
    void start() {
        lookAfter(timeout.limit().toNanos());
    }

    /** Watches an attempt that begins now, on the calling thread, until it has ended and its handler has returned. */
    WatchedAttempt begin(Attempt<?, ?> attempt) {
        WatchedAttempt watched = new WatchedAttempt(this, attempt, nanoTime.getAsLong());
        running.add(watched);
        return watched;
    }

    void forget(WatchedAttempt watched) {
        running.remove(watched);
    }

    private void lookAfter(long nanos) {
        timer.schedule(Duration.ofNanos(nanos), this::look); // if not, the engine is closed
    }

    private void look() {
        long next = timeout.limit().toNanos();
        long now = nanoTime.getAsLong();
        for (WatchedAttempt watched : running) {
            long age = now - watched.startedNanos();
            long left = timeout.limit().toNanos() - age;
            if (left > 0) {
                next = Math.min(next, left);
            } else if (watched.beOverdue()) {
                report(watched, Duration.ofNanos(age));
                fence(watched);
            }
        }
        lookAfter(next);
    }

    private void report(WatchedAttempt watched, Duration age) {
        overdue.increment();
        log.warn(
                "{} takes longer than {}: {} by now, {}",
                watched.attempt(),
                timeout.limit(),
                age,
                watched.whereabouts());
        if (timeout.interrupts()) {
            watched.interrupt();
        }
        for (Runnable action : watched.takeActions()) {
            runElsewhere(action);
        }
    }

    /** Fails the attempt if it is overdue and nothing of it is on the handler's thread. */
    void fence(WatchedAttempt watched) {
        if (fences && watched.mayBeFenced()) {
            watched.attempt()
                    .fail(new HandlerTimeoutException(watched.attempt() + " did not end within " + timeout.limit()
                            + " and is not awaited any more"));
        }
    }

    void runElsewhere(Runnable action) {
        try {
            strangers.execute(() -> {
                try {
                    action.run();
                } catch (Throwable t) { // foreign code
                    log.warn("what was to be done about a cancelled attempt failed: {}", Complaints.text(t));
                }
            });
        } catch (RejectedExecutionException | OutOfMemoryError e) { // the engine is closed, or there is no thread
            log.warn("nothing is done about a cancelled attempt: {}", e.toString());
        }
    }
}
