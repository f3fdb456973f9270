package dev.lanekeeper.engine;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Wakes up what waits for a time, on one thread that must not block. Thread-safe. */
final class Timer {
    private final ScheduledExecutorService scheduler;

    private Timer(ScheduledExecutorService scheduler) {
        this.scheduler = scheduler;
    }

    static Timer start(String name) {
        return new Timer(new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, name + "-timer");
            thread.setDaemon(true);
            return thread;
        }));
    }

    /** Runs {@code task} after {@code delay}; {@code false} if the timer is closed, and then never. */
    boolean schedule(Duration delay, Runnable task) {
        try {
            Future<?> unused = scheduler.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** Forgets what has not been run. */
    void close() {
        scheduler.shutdownNow();
    }
}
