package dev.lanekeeper.engine;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** As much of a scheduler as lanes use: alarms that go off once, or are cancelled. Confined to the simulation's thread. */
final class SteppedAlarms extends SteppedExecutor implements ScheduledExecutorService {
    private final SteppedEngine.Machine machine;

    SteppedAlarms(SteppedEngine.Machine machine) {
        super(machine::probe);
        this.machine = machine;
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        Alarm alarm = new Alarm();
        boolean taken = machine.schedule(Duration.of(delay, unit.toChronoUnit()), () -> {
            if (alarm.complete(null)) {
                command.run();
            }
        });
        if (!taken) {
            throw new RejectedExecutionException("no alarm after " + delay + " " + unit);
        }
        return alarm;
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException("alarms have no result");
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long initialDelay, long period, TimeUnit unit) {
        throw new UnsupportedOperationException("alarms go off once");
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long initialDelay, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException("alarms go off once");
    }

    /** Nobody asks when it is due. */
    private static final class Alarm extends CompletableFuture<Void> implements ScheduledFuture<Void> {
        @Override
        public long getDelay(TimeUnit unit) {
            throw new UnsupportedOperationException("nobody asks for this");
        }

        @Override
        public int compareTo(Delayed other) {
            throw new UnsupportedOperationException("nobody asks for this");
        }
    }
}
