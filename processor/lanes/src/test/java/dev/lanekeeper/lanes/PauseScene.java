package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.testkit.ManualClock;
import dev.lanekeeper.testkit.ManualScheduler;
import dev.lanekeeper.testkit.SteppingExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What tests of pauses need, step by step: one thread, and a clock that stands until it is moved. */
@SuppressWarnings("FutureReturnValueIgnored") // of most tasks it matters what they did, not what they gave
abstract class PauseScene {
    static final Duration MINUTE = Duration.ofMinutes(1);

    final ManualClock clock = new ManualClock();
    final SteppingExecutor executor = new SteppingExecutor();
    final Lanes<String> lanes = Lanes.<String>builder()
            .executor(executor)
            .timer(new ManualScheduler(clock))
            .clock(clock.nanos())
            .build();
    final List<String> ran = new ArrayList<>();

    CompletableFuture<Boolean> task(String key) {
        return lanes.submit(key, () -> ran.add(key));
    }

    /** A task that has begun and goes on until the future is completed. */
    CompletableFuture<Void> running(String key) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        lanes.submitAsync(key, () -> end);
        executor.runAll();
        return end;
    }

    CompletableFuture<Pause> pause(PauseMode mode) {
        return lanes.pause(mode, MINUTE);
    }

    void assertNothingIsLeft() {
        executor.runAll();
        assertThat(lanes.view().live()).isZero();
    }
}
