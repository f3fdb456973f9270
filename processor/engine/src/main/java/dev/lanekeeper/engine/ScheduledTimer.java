package dev.lanekeeper.engine;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A timer with one thread of its own. Thread-safe. */
final class ScheduledTimer implements Timer {
    private final ScheduledExecutorService scheduler;

    private ScheduledTimer(ScheduledExecutorService scheduler) {
        this.scheduler = scheduler;
    }

    static Timer start(String name) {
        return new ScheduledTimer(new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, name + "-timer");
            thread.setDaemon(true);
            return thread;
        }));
    }

    @Override
    public boolean schedule(Duration delay, Runnable task) {
        try {
            Future<?> unused = scheduler.schedule(task, TimeUnit.NANOSECONDS.convert(delay), TimeUnit.NANOSECONDS);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    @Override
    public void close() {
        scheduler.shutdownNow();
    }
}
