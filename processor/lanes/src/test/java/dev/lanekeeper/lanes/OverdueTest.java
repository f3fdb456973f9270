package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.testkit.ManualClock;
import dev.lanekeeper.testkit.ManualScheduler;
import dev.lanekeeper.testkit.SteppingExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Work that takes too long, by a clock that stands until it is moved. */
@SuppressWarnings("FutureReturnValueIgnored") // of most tasks it matters what they did, not what they gave
class OverdueTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(8);

    private final ManualClock clock = new ManualClock();
    private final SteppingExecutor executor = new SteppingExecutor();
    private final List<Blocker<String>> overdue = new ArrayList<>();

    private Lanes<String> lanes(TimeoutPolicy policy) {
        return Lanes.<String>builder()
                .executor(executor)
                .timer(new ManualScheduler(clock))
                .clock(clock.nanos())
                .timeout(TIMEOUT, policy, overdue::add)
                .build();
    }

    @Test
    void whatIsOverdueIsReportedOnceAndKeepsItsLane() {
        Lanes<String> lanes = lanes(TimeoutPolicy.HOLD);
        CompletableFuture<String> open = new CompletableFuture<>();
        CompletableFuture<String> slow = lanes.submitAsync("a", () -> open);
        executor.runAll();
        clock.advance(TIMEOUT.minusNanos(1));
        assertThat(overdue).isEmpty();

        clock.advance(TIMEOUT);
        clock.advance(TIMEOUT);

        assertThat(overdue).containsExactly(new Blocker<>(List.of("a"), TIMEOUT, Optional.empty()));
        assertThat(slow).isNotDone();
        CompletableFuture<String> next = lanes.submit("a", () -> "next");
        executor.runAll();
        assertThat(next).isNotDone();
        open.complete("late, but it counts");
        executor.runAll();
        assertThat(slow).isCompletedWithValue("late, but it counts");
        assertThat(next).isCompleted();
    }

    @Test
    void timeInLineDoesNotCount() {
        Lanes<String> lanes = lanes(TimeoutPolicy.HOLD);
        lanes.submit("a", () -> true);
        clock.advance(TIMEOUT.multipliedBy(10));
        executor.runAll();
        clock.advance(TIMEOUT.multipliedBy(10));

        assertThat(overdue).isEmpty();
    }

    @Test
    void holdsAreReportedToo() throws Exception {
        Lanes<String> lanes = lanes(TimeoutPolicy.FENCE);
        Hold one = lanes.hold("a");
        Hold two = Soon.result(lanes.acquireAll(List.of("b", "c")));
        clock.advance(TIMEOUT);

        assertThat(overdue).extracting(Blocker::keys).containsExactlyInAnyOrder(List.of("a"), List.of("b", "c"));
        assertThat(lanes.view().blockers()).as("a hold is not taken away").hasSize(2);
        one.close();
        two.close();
    }

    @Test
    void aFencedStageFailsAndItsLaneGoesOn() throws Exception {
        Lanes<String> lanes = lanes(TimeoutPolicy.FENCE);
        CompletableFuture<String> open = new CompletableFuture<>();
        CompletableFuture<String> slow = lanes.submitAsync("a", () -> open);
        CompletableFuture<String> bulk = lanes.submitAllAsync(List.of("b", "c"), () -> new CompletableFuture<>());
        CompletableFuture<String> next = lanes.submit("a", () -> "next");
        executor.runAll();

        clock.advance(TIMEOUT);
        executor.runAll();

        assertThat(Soon.failure(slow))
                .isInstanceOf(TimeoutException.class)
                .hasMessage("the task of lane a did not end within PT8S");
        assertThat(Soon.failure(bulk)).hasMessage("the task of lane [b, c] did not end within PT8S");
        assertThat(next).isCompletedWithValue("next");
        CompletableFuture<Boolean> later = lanes.submitAsync("a", CompletableFuture::new);
        executor.runAll();
        open.complete("late");
        assertThat(later).as("what comes late ends nothing").isNotDone();
        assertThat(overdue).hasSize(2);
    }

    @Test
    void aTaskOnAThreadIsNotFencedAndItsThreadIsNamed() {
        Lanes<String> lanes = lanes(TimeoutPolicy.FENCE);
        CompletableFuture<String> slow = lanes.submit("a", () -> {
            clock.advance(TIMEOUT.multipliedBy(2));
            return "late, but it counts";
        });
        executor.runAll();

        assertThat(slow).isCompletedWithValue("late, but it counts");
        assertThat(overdue)
                .containsExactly(new Blocker<>(
                        List.of("a"),
                        TIMEOUT,
                        Optional.of(Thread.currentThread().getName())));
    }

    @Test
    void aListenerThatFailsDoesNotEndTheWatch() {
        List<String> heard = new ArrayList<>();
        Lanes<String> lanes = Lanes.<String>builder()
                .executor(executor)
                .timer(new ManualScheduler(clock))
                .clock(clock.nanos())
                .timeout(TIMEOUT, TimeoutPolicy.FENCE, blocker -> {
                    heard.add(blocker.keys().get(0));
                    if (heard.size() == 1) {
                        throw new IllegalStateException("of the listener");
                    }
                    throw new AssertionError("of the listener");
                })
                .build();
        Thread.UncaughtExceptionHandler before = Thread.currentThread().getUncaughtExceptionHandler();
        List<Throwable> told = new ArrayList<>();
        Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> told.add(thrown));
        try {
            for (String key : List.of("a", "b", "c")) {
                CompletableFuture<Object> slow = lanes.submitAsync(key, CompletableFuture::new);
                executor.runAll();
                clock.advance(TIMEOUT);
                assertThat(slow.isCompletedExceptionally()).as(key).isTrue();
            }
        } finally {
            Thread.currentThread().setUncaughtExceptionHandler(before);
        }

        assertThat(heard).containsExactly("a", "b", "c");
        assertThat(told).hasSize(3).extracting(Throwable::getMessage).containsOnly("of the listener");
    }

    @Test
    void aTimeoutMustBePositive() {
        assertThatThrownBy(() -> Lanes.<String>builder().timeout(Duration.ZERO, TimeoutPolicy.HOLD, overdue::add))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("timeout must be positive: PT0S");
    }

    @Test
    void blockersAreNamedOldestFirstWithTheirThread() {
        Lanes<String> lanes = lanes(TimeoutPolicy.HOLD);
        lanes.submitAsync("old", CompletableFuture::new);
        executor.runAll();
        clock.advance(Duration.ofSeconds(2));
        lanes.submit("new", () -> {
            clock.advance(Duration.ofSeconds(1));
            assertThat(lanes.view().blockers())
                    .containsExactly(
                            new Blocker<>(List.of("old"), Duration.ofSeconds(3), Optional.empty()),
                            new Blocker<>(
                                    List.of("new"),
                                    Duration.ofSeconds(1),
                                    Optional.of(Thread.currentThread().getName())));
            return true;
        });
        executor.runAll();

        assertThat(lanes.view().blockers()).extracting(Blocker::toString).containsExactly("old for 3000 ms");
    }
}
