package dev.lanekeeper.testkit;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * A scheduler whose time is a {@link ManualClock}: nothing runs until a test advances the clock, and then on the test's
 * own thread, in the order in which it is due. Scheduling is thread-safe.
 *
 * <p>Waiting for a task of this scheduler on the thread that advances the clock waits for ever; so do {@code invokeAll}
 * and {@code invokeAny}.
 */
public final class ManualScheduler extends AbstractExecutorService implements ScheduledExecutorService {
    private final ManualClock clock;
    private final Set<ManualTask<?>> waiting = new LinkedHashSet<>();
    private boolean shutDown;

    /** A scheduler that runs when {@code clock} is advanced. */
    public ManualScheduler(ManualClock clock) {
        this.clock = clock;
    }

    /** How many tasks wait for their time. */
    public synchronized int waiting() {
        return waiting.size();
    }

    /** Runs {@code command} the next time the clock is advanced, be it by nothing. */
    @Override
    public void execute(Runnable command) {
        add(new ManualTask<>(this, command, 0), 0);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        return accept(new ManualTask<>(this, command, 0), unit.toNanos(delay));
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
        return accept(new ManualTask<>(this, callable), unit.toNanos(delay));
    }

    /** With a clock that only moves between tasks, a fixed rate and a fixed delay are the same. */
    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long initialDelay, long period, TimeUnit unit) {
        return scheduleWithFixedDelay(command, initialDelay, period, unit);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long initialDelay, long delay, TimeUnit unit) {
        if (delay <= 0) {
            throw new IllegalArgumentException("the time between two runs must be positive: " + delay);
        }
        return accept(new ManualTask<>(this, command, unit.toNanos(delay)), unit.toNanos(initialDelay));
    }

    private <V> ManualTask<V> accept(ManualTask<V> task, long delayNanos) {
        add(task, delayNanos);
        return task;
    }

    private synchronized void add(ManualTask<?> task, long delayNanos) {
        if (shutDown) {
            throw new RejectedExecutionException("the scheduler is shut down");
        }
        set(task, delayNanos);
    }

    private void set(ManualTask<?> task, long delayNanos) {
        waiting.add(task);
        task.alarm(clock.set(delayNanos, task));
    }

    synchronized void again(ManualTask<?> task, long delayNanos) {
        if (!shutDown) {
            set(task, delayNanos);
        }
    }

    synchronized void begun(ManualTask<?> task) {
        waiting.remove(task);
    }

    synchronized void cancelled(ManualTask<?> task) {
        if (waiting.remove(task)) {
            clock.cancel(task.alarm());
        }
    }

    ManualClock clock() {
        return clock;
    }

    /** Refuses new tasks; those that wait still run once, periodic ones no more. */
    @Override
    public void shutdown() {
        for (ManualTask<?> task : shutDownAndCopy()) {
            if (task.isPeriodic()) {
                task.cancel(false);
            }
        }
    }

    @Override
    public List<Runnable> shutdownNow() {
        List<ManualTask<?>> dropped = shutDownAndCopy();
        dropped.forEach(task -> task.cancel(false));
        return List.copyOf(dropped);
    }

    /** What {@code try} with a scheduler calls from Java 19 on; without a thread there is nothing to wait for. */
    @SuppressWarnings({"MissingOverride", "override"}) // not there to override before Java 19
    public void close() {
        shutdownNow();
    }

    private synchronized List<ManualTask<?>> shutDownAndCopy() {
        shutDown = true;
        return List.copyOf(waiting);
    }

    @Override
    public synchronized boolean isShutdown() {
        return shutDown;
    }

    @Override
    public synchronized boolean isTerminated() {
        return shutDown && waiting.isEmpty();
    }

    /** Answers at once: only the test can make time pass. */
    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return isTerminated();
    }
}
