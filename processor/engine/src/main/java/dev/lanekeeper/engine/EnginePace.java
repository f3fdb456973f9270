package dev.lanekeeper.engine;

import dev.lanekeeper.engine.handler.RateLimit;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The rate limit of a whole engine: a bucket, and a line of those who found it empty. They wait without a thread; one timer
 * hands out what comes back, in the order of the line. Thread-safe; the lock is held for arithmetic and a queue operation
 * only.
 */
final class EnginePace {
    /** More often than this the timer is not set: it then hands out several at once. */
    private static final double SHORTEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final LongSupplier nanoTime;
    private final Timer timer;

    /** Written under the lock. */
    private volatile RateLimit limit;

    /** Guarded by this; so are the others. */
    private final Queue<RecordTicket<?, ?>> line = new ArrayDeque<>();

    private double tokens;
    private long filledNanos;

    /** Which setting of the timer counts; 0 if it is not set. */
    private long alarm;

    private long alarms;

    EnginePace(RateLimit limit, LongSupplier nanoTime, Timer timer) {
        this.limit = limit;
        this.nanoTime = nanoTime;
        this.timer = timer;
        this.tokens = limit.burst();
        this.filledNanos = nanoTime.getAsLong();
    }

    RateLimit limit() {
        return limit;
    }

    /** From now on; those in line wait by the new limit too. */
    void limit(RateLimit next) {
        long set;
        synchronized (this) {
            fill();
            limit = next;
            tokens = Math.min(tokens, next.burst());
            if (line.isEmpty()) {
                return;
            }
            set = ++alarms;
            alarm = set;
        }
        wakeIn(0, set);
    }

    /** Takes a token, or puts {@code ticket} in line for {@link RecordTicket#goOn}. */
    boolean take(RecordTicket<?, ?> ticket) {
        if (limit.unlimited()) {
            return true;
        }
        double wait;
        long set;
        synchronized (this) {
            fill();
            if (line.isEmpty() && takeToken()) {
                return true;
            }
            line.add(ticket);
            if (alarm != 0) {
                return false;
            }
            wait = untilNext();
            set = ++alarms;
            alarm = set;
        }
        wakeIn(wait, set);
        return false;
    }

    private void wakeIn(double nanos, long set) {
        boolean unused = timer.schedule(Duration.ofNanos((long) Math.ceil(nanos)), () -> handOut(set));
    }

    private void handOut(long set) {
        RecordTicket<?, ?> next = next(set);
        while (next != null) {
            if (!next.goOn()) { // dropped while it waited
                giveBack();
            }
            next = next(set);
        }
    }

    /** The next in line, with its token taken; or {@code null}, and the timer is set again if anybody waits. */
    private @Nullable RecordTicket<?, ?> next(long set) {
        double wait;
        long again;
        synchronized (this) {
            if (alarm != set) {
                return null; // another setting counts
            }
            if (line.isEmpty()) {
                alarm = 0;
                return null;
            }
            fill();
            if (takeToken()) {
                return line.poll();
            }
            wait = untilNext();
            again = ++alarms;
            alarm = again;
        }
        wakeIn(wait, again);
        return null;
    }

    private synchronized void giveBack() {
        tokens = Math.min(limit.burst(), tokens + 1);
    }

    /** Under the lock. */
    private void fill() {
        long now = nanoTime.getAsLong();
        tokens = limit.unlimited()
                ? limit.burst()
                : Math.min(limit.burst(), tokens + (now - filledNanos) / limit.nanosPerToken());
        filledNanos = now;
    }

    /** Under the lock. */
    private boolean takeToken() {
        if (tokens < 1) {
            return false;
        }
        tokens -= 1;
        return true;
    }

    /** Under the lock. */
    private double untilNext() {
        return Math.max(SHORTEST_WAIT_NANOS, (1 - tokens) * limit.nanosPerToken());
    }
}
