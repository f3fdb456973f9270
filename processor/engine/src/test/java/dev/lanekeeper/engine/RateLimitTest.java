package dev.lanekeeper.engine;

import static dev.lanekeeper.engine.EngineRig.P0;
import static dev.lanekeeper.engine.EngineRig.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.handler.RateLimit;
import dev.lanekeeper.lanes.Pause;
import dev.lanekeeper.testkit.ManualClock;
import dev.lanekeeper.testkit.ManualScheduler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Attempts begin no faster than allowed, in order, and who waits is in nobody's way (decaton#172). */
@Timeout(60)
class RateLimitTest {
    @RegisterExtension
    final EngineRig rig = EngineRig.acknowledging();

    private final ManualClock clock = new ManualClock();
    private final ManualScheduler scheduler = new ManualScheduler(clock);

    /** Time passes when a test says so. */
    private final class TestTime implements Environment {
        @Override
        public long nanoTime() {
            return clock.nanos().getAsLong();
        }

        @Override
        public Timer timer(String name) {
            return new Timer() {
                @Override
                public boolean schedule(Duration delay, Runnable task) {
                    var unused = scheduler.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
                    return true;
                }

                @Override
                public void close() {}
            };
        }
    }

    private LaneKeeper<String, String> start(UnaryOperator<LaneKeeperBuilder<String, String>> settings) {
        return rig.start(builder -> settings.apply(builder.environment(new TestTime())));
    }

    private void awaitLimited(LaneKeeper<?, ?> keeper, int records) {
        await().until(() -> keeper.view().oldest(100).stream()
                        .filter(head -> head.doing() == LaneHead.Doing.LIMITED)
                        .count()
                == records);
    }

    private void awaitStarted(int runs) {
        await().until(() -> rig.puppet.started().size() >= runs);
        rig.awaitPasses(2);
        assertThat(rig.puppet.started()).hasSize(runs);
    }

    @Test
    void theEngineBeginsNoMoreThanItsLimitInTheOrderInWhichTheyCame() {
        LaneKeeper<String, String> keeper = start(settings ->
                settings.rateLimit(new RateLimit(2, 2)).concurrency(4).asyncHandler(rig.puppet.async()));
        rig.send("a=0", "b=1");
        awaitStarted(2);
        for (int i = 2; i < 6; i++) {
            rig.send("k" + i + "=" + i);
            awaitLimited(keeper, i - 1); // one after another, so that they are in line in this order
        }
        awaitStarted(2);
        clock.advance(Duration.ofMillis(499));
        awaitStarted(2);
        clock.advance(Duration.ofMillis(1));
        awaitStarted(3);
        assertThat(rig.puppet.values().get(2)).isEqualTo("2");
        rig.puppet.finishAll();
        clock.advance(Duration.ofSeconds(1));
        awaitStarted(5);
        assertThat(rig.puppet.values().subList(3, 5)).containsExactlyInAnyOrder("3", "4");
        clock.advance(Duration.ofMillis(500));
        awaitStarted(6);
        assertThat(scheduler.waiting()).as("nothing left to wake").isLessThanOrEqualTo(1);
    }

    @Test
    void aNewLimitHoldsForThoseInLineToo() {
        LaneKeeper<String, String> keeper =
                start(settings -> settings.rateLimit(new RateLimit(0.001, 1)).asyncHandler(rig.puppet.async()));
        rig.send("a=0", "b=1", "c=2", "d=3");
        awaitLimited(keeper, 3);
        keeper.rateLimit(new RateLimit(10, 1));
        clock.advance(Duration.ofMillis(100));
        awaitStarted(2);
        keeper.rateLimit(RateLimit.UNLIMITED);
        clock.advance(Duration.ZERO);
        awaitStarted(4);
    }

    @Test
    void aLaneIsLimitedWithoutTheOthersAndWithoutAThread() {
        LaneKeeper<String, String> keeper = start(settings ->
                settings.laneRateLimit(new RateLimit(1, 1)).concurrency(1).handler(rig.puppet.blocking()));
        rig.send("a=0", "a=1");
        rig.puppet.run("0").finish();
        awaitLimited(keeper, 1);
        rig.send("b=2");
        rig.puppet.run("2").finish(); // the only worker is free
        rig.awaitPasses(2);
        assertThat(rig.puppet.started()).hasSize(2);
        clock.advance(Duration.ofSeconds(1));
        rig.puppet.run("1").finish();
    }

    /** A second record comes after the lane has gone: its bucket has not. */
    @Test
    void aCustomerWhoseRecordsComeOneByOneIsLimitedToo() {
        LaneKeeper<String, String> keeper =
                start(settings -> settings.laneRateLimit(new RateLimit(1, 1)).asyncHandler(rig.puppet.async()));
        rig.send("a=0");
        rig.puppet.run("0").finish();
        await().until(() -> keeper.view().lanes().live() == 0);
        rig.send("a=1");
        awaitLimited(keeper, 1);
        keeper.laneRateLimit(RateLimit.UNLIMITED);
        clock.advance(Duration.ofSeconds(1));
        rig.puppet.run("1").finish();
    }

    @Test
    void aRetryTakesATokenToo() {
        LaneKeeper<String, String> keeper =
                start(settings -> settings.laneRateLimit(new RateLimit(1, 1)).asyncHandler(rig.puppet.async()));
        rig.send("a=0");
        rig.puppet.run("0").fail(new IllegalStateException("planned"));
        await().until(() -> scheduler.waiting() > 0);
        clock.advance(Duration.ZERO); // the retry is due at once
        awaitLimited(keeper, 1);
        clock.advance(Duration.ofSeconds(1));
        rig.puppet.run("0", 1).finish();
    }

    @Test
    void whoWaitsIsInNoPausesWay() throws Exception {
        LaneKeeper<String, String> keeper =
                start(settings -> settings.rateLimit(new RateLimit(1, 1)).asyncHandler(rig.puppet.async()));
        rig.send("a=0"); // alone, for two lanes may take their turns either way round
        rig.puppet.run("0").finish();
        rig.send("b=1");
        awaitLimited(keeper, 1);
        Pause pause = keeper.pause(Duration.ofHours(1)).get(20, TimeUnit.SECONDS);
        clock.advance(Duration.ofSeconds(1));
        rig.awaitPasses(2);
        assertThat(rig.puppet.started()).hasSize(1);
        pause.close();
        rig.puppet.run("1").finish();
    }

    /** Dropped in the line of the engine and in that of its lane: the token of the first goes to somebody else. */
    @Test
    void whoWaitsIsDroppedWhenItsPartitionGoes() {
        LaneKeeper<String, String> keeper = start(settings -> settings.rateLimit(new RateLimit(1, 2))
                .laneRateLimit(new RateLimit(1, 1))
                .asyncHandler(rig.puppet.async()));
        rig.send("a=0", "a=1", "b=2");
        rig.puppet.run("0").finish();
        rig.puppet.run("2").finish();
        rig.send("c=3");
        awaitLimited(keeper, 2);
        rig.consumer.revoke(P0);
        await().until(() -> keeper.view().lanes().live() == 0);
        rig.consumer.append(EngineRig.P1, "d", "4");
        rig.consumer.assign(EngineRig.P1);
        awaitLimited(keeper, 1);
        clock.advance(Duration.ofSeconds(1));
        rig.puppet.run("4").finish();
        assertThat(rig.puppet.values()).containsExactlyInAnyOrder("0", "2", "4");
    }

    @Test
    void nothingIsLimitedByDefault() {
        LaneKeeper<String, String> keeper =
                start(settings -> settings.concurrency(500).asyncHandler(rig.puppet.async()));
        for (int i = 0; i < 300; i++) {
            rig.send("k" + i + "=" + i);
        }
        await().until(() -> rig.puppet.started().size() == 300);
        assertThat(keeper.view().oldest(300)).allMatch(head -> head.doing() == LaneHead.Doing.RUNNING);
    }
}
