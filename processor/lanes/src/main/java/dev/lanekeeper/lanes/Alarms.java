package dev.lanekeeper.lanes;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs things later: on a scheduler that was given, or on one of its own that begins with the first alarm. Thread-safe. */
final class Alarms {
    private final String name;
    private final @Nullable ScheduledExecutorService given;

    /** Guarded by this. */
    private @Nullable ScheduledThreadPoolExecutor own;

    Alarms(String name, @Nullable ScheduledExecutorService given) {
        this.name = name;
        this.given = given;
    }

    /** Runs {@code task} once; it must not block. */
    Future<?> after(Duration delay, Runnable task) {
        return scheduler().schedule(task, TimeUnit.NANOSECONDS.convert(delay), TimeUnit.NANOSECONDS);
    }

    /** Runs {@code task} again and again; it must not block. */
    void every(Duration interval, Runnable task) {
        Future<?> unused =
                scheduler().scheduleWithFixedDelay(task, interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
    }

    private synchronized ScheduledExecutorService scheduler() {
        if (given != null) {
            return given;
        }
        if (own == null) {
            own = new ScheduledThreadPoolExecutor(1, task -> {
                Thread thread = new Thread(task, name + "-alarms");
                thread.setDaemon(true);
                return thread;
            });
            own.setRemoveOnCancelPolicy(true);
        }
        return own;
    }

    /** Ends what is done again and again. The thread goes when it has nothing to wait for any more: a pause may still be asked for. */
    synchronized void close() {
        if (own != null) {
            own.shutdown();
        }
    }
}
