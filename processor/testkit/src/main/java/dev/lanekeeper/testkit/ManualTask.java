package dev.lanekeeper.testkit;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A task of a {@link ManualScheduler}; its alarm is guarded by the scheduler. */
final class ManualTask<V> extends FutureTask<V> implements RunnableScheduledFuture<V> {
    private final ManualScheduler scheduler;
    private final long periodNanos;
    private volatile ManualClock.@Nullable Alarm alarm;

    ManualTask(ManualScheduler scheduler, Callable<V> work) {
        super(work);
        this.scheduler = scheduler;
        this.periodNanos = 0;
    }

    /** Runs once for a period of 0. */
    @SuppressWarnings("NullAway") // a task without a result has none to give
    ManualTask(ManualScheduler scheduler, Runnable work, long periodNanos) {
        super(work, null);
        this.scheduler = scheduler;
        this.periodNanos = periodNanos;
    }

    void alarm(ManualClock.Alarm newAlarm) {
        alarm = newAlarm;
    }

    ManualClock.Alarm alarm() {
        return Objects.requireNonNull(alarm, "alarm");
    }

    @Override
    public void run() {
        scheduler.begun(this);
        if (!isPeriodic()) {
            super.run();
        } else if (runAndReset()) {
            scheduler.again(this, periodNanos);
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        scheduler.cancelled(this);
        return cancelled;
    }

    @Override
    public boolean isPeriodic() {
        return periodNanos > 0;
    }

    @Override
    public long getDelay(TimeUnit unit) {
        return unit.convert(scheduler.clock().remainingNanos(alarm()), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
        return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
}
