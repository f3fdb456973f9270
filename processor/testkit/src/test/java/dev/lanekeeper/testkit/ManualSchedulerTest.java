package dev.lanekeeper.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ManualSchedulerTest {
    private final ManualClock clock = new ManualClock();
    private final ManualScheduler scheduler = new ManualScheduler(clock);
    private final List<String> log = new ArrayList<>();

    @Test
    void timeStandsStillUntilItIsMoved() {
        Instant before = clock.instant();
        long nanosBefore = clock.nanos().getAsLong();
        clock.advance(Duration.ofMillis(1_500));
        assertThat(clock.instant()).isEqualTo(before.plusMillis(1_500));
        assertThat(clock.nanoTime() - nanosBefore).isEqualTo(1_500_000_000L);
    }

    @Test
    void nanoTimeOverflowsAndItsDifferencesDoNot() {
        long before = clock.nanoTime();
        clock.advance(Duration.ofSeconds(6));
        assertThat(clock.nanoTime()).isNegative();
        assertThat(clock.nanoTime() - before).isEqualTo(6_000_000_000L);
    }

    @Test
    void timeDoesNotGoBack() {
        assertThatThrownBy(() -> clock.advance(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT-0.001S");
    }

    @Test
    void tasksRunInOrderOfTimeThenOfBeingSet() {
        after(20, "late");
        after(10, "first");
        after(10, "second");
        clock.advance(Duration.ofMillis(9));
        assertThat(log).isEmpty();
        clock.advance(Duration.ofMillis(1));
        assertThat(log).containsExactly("first@10", "second@10");
        clock.advance(Duration.ofSeconds(1));
        assertThat(log).containsExactly("first@10", "second@10", "late@20");
        assertThat(clock.instant()).isEqualTo(new ManualClock().instant().plusMillis(1_010));
    }

    @Test
    void aTaskSetOnTheWayRunsOnTheWay() {
        Future<?> chain = scheduler.schedule(() -> after(5, "chained"), 10, TimeUnit.MILLISECONDS);
        clock.advance(Duration.ofMillis(20));
        assertThat(chain).isDone();
        assertThat(log).containsExactly("chained@15");
    }

    @Test
    void executeRunsAtTheNextStep() {
        scheduler.execute(() -> log.add("now"));
        assertThat(log).isEmpty();
        clock.advance(Duration.ZERO);
        assertThat(log).containsExactly("now");
    }

    @Test
    void aResultAndAFailureReachTheFuture() throws Exception {
        Future<String> result = scheduler.schedule(() -> "seven", 1, TimeUnit.MILLISECONDS);
        Future<?> failure = scheduler.submit(() -> {
            throw new IllegalStateException("planted");
        });
        clock.advance(Duration.ofMillis(1));
        assertThat(result.get()).isEqualTo("seven");
        assertThatThrownBy(failure::get).hasRootCauseMessage("planted");
    }

    @Test
    void aPeriodicTaskRunsUntilCancelled() {
        ScheduledFuture<?> ticks = scheduler.scheduleAtFixedRate(() -> note("tick"), 5, 10, TimeUnit.MILLISECONDS);
        clock.advance(Duration.ofMillis(25));
        assertThat(log).containsExactly("tick@5", "tick@15", "tick@25");
        assertThat(ticks.getDelay(TimeUnit.MILLISECONDS)).isEqualTo(10);
        ticks.cancel(false);
        clock.advance(Duration.ofMillis(100));
        assertThat(log).hasSize(3);
        assertThat(scheduler.waiting()).isZero();
    }

    @Test
    void aPeriodicTaskStopsAtItsFirstFailure() {
        ScheduledFuture<?> ticks = scheduler.scheduleWithFixedDelay(
                () -> {
                    note("tick");
                    throw new IllegalStateException("planted");
                },
                1,
                1,
                TimeUnit.MILLISECONDS);
        clock.advance(Duration.ofMillis(10));
        assertThat(log).containsExactly("tick@1");
        assertThat(ticks.isDone()).isTrue();
    }

    @Test
    void aPeriodicTaskThatCancelsItselfStops() {
        List<ScheduledFuture<?>> self = new ArrayList<>();
        self.add(scheduler.scheduleWithFixedDelay(
                () -> {
                    note("tick");
                    self.get(0).cancel(false);
                },
                1,
                1,
                TimeUnit.MILLISECONDS));
        clock.advance(Duration.ofMillis(10));
        assertThat(log).containsExactly("tick@1");
        assertThat(scheduler.waiting()).isZero();
    }

    @Test
    void shutDownLetsWaitingTasksRunOnceAndRefusesNewOnes() {
        after(5, "last");
        ScheduledFuture<?> ticks = scheduler.scheduleAtFixedRate(() -> note("tick"), 1, 1, TimeUnit.MILLISECONDS);
        scheduler.shutdown();
        assertThat(ticks.isCancelled()).isTrue();
        assertThat(scheduler.isTerminated()).isFalse();
        clock.advance(Duration.ofMillis(5));
        assertThat(log).containsExactly("last@5");
        assertThat(scheduler.awaitTermination(0, TimeUnit.MILLISECONDS)).isTrue();
        assertThatThrownBy(() -> after(1, "refused")).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void shutDownNowDropsWhatWaits() {
        after(5, "dropped");
        assertThat(scheduler.shutdownNow()).hasSize(1);
        clock.advance(Duration.ofMillis(5));
        assertThat(log).isEmpty();
        assertThat(scheduler.isTerminated()).isTrue();
    }

    @Test
    void aTaskCannotMoveTime() {
        Future<?> task = scheduler.submit(() -> clock.advance(Duration.ofMillis(1)));
        clock.advance(Duration.ZERO);
        assertThatThrownBy(task::get).hasRootCauseInstanceOf(IllegalStateException.class);
        clock.advance(Duration.ofMillis(1)); // and time is not stuck
    }

    private void after(long millis, String name) {
        Future<?> task = scheduler.schedule(() -> note(name), millis, TimeUnit.MILLISECONDS);
        assertThat(task).isNotDone();
    }

    private void note(String name) {
        long millis =
                Duration.between(new ManualClock().instant(), clock.instant()).toMillis();
        log.add(name + "@" + millis);
    }
}
