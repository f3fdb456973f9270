package dev.lanekeeper.engine;

import static dev.lanekeeper.engine.EngineRig.await;

import dev.lanekeeper.testkit.ManualClock;
import dev.lanekeeper.testkit.ManualScheduler;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** An environment in which time passes when a test says so. Alarms go off on the test's thread. */
final class ManualTime implements Environment {
    private final ManualClock clock = new ManualClock();
    private final ManualScheduler scheduler = new ManualScheduler(clock);

    void advance(Duration by) {
        clock.advance(by);
    }

    /** Lets a little time pass again and again until {@code condition} holds. */
    void untilSoon(Callable<Boolean> condition) {
        await().until(() -> {
            clock.advance(Duration.ofMillis(6));
            return condition.call();
        });
    }

    @Override
    public long nanoTime() {
        return clock.nanoTime();
    }

    @Override
    public Timer timer(String name) {
        return new Timer() {
            @Override
            public boolean schedule(Duration delay, Runnable task) {
                try {
                    var unused = scheduler.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
                    return true;
                } catch (RejectedExecutionException e) {
                    return false;
                }
            }

            @Override
            public void close() {
                scheduler.shutdownNow();
            }
        };
    }
}
