package dev.lanekeeper.benchmarks.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.lanes.Pause;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The checks of the load, on a small one: they must pass with a real pause and fail with one that stops nothing. */
class PauseUnderLoadTest {
    private static final PauseUnderLoad.Settings SMALL =
            new PauseUnderLoad.Settings(8, 1000, Duration.ofMillis(1), 5, Duration.ofMillis(5), Duration.ofMillis(50));

    @Test
    void nothing_runs_inside_a_pause_and_nothing_is_lost() {
        PauseUnderLoad.Outcome outcome = new PauseUnderLoad(SMALL).run();
        assertThat(outcome.inside()).isZero();
        assertThat(outcome.disordered()).isZero();
        assertThat(outcome.executed()).isPositive().isEqualTo(outcome.submitted());
        assertThat(outcome.acquired().quantileNanos(0)).isPositive();
        assertThat(outcome.longestBody())
                .isGreaterThanOrEqualTo(Duration.ofMillis(1).toNanos());
    }

    @Test
    void a_pause_that_stops_nothing_is_found() {
        Pause none = () -> {};
        PauseUnderLoad.Settings patient = new PauseUnderLoad.Settings(
                8, 1000, Duration.ofMillis(1), 5, Duration.ofMillis(100), Duration.ofMillis(50));
        assertThat(new PauseUnderLoad(patient).run(lanes -> none).inside()).isPositive();
    }

    @Test
    void a_quantile_is_not_exceeded_by_its_part() {
        Durations durations = new Durations(7, 2, 9, 4, 5, 6, 1, 8, 3, 10);
        assertThat(durations.quantileNanos(0.5)).isEqualTo(5);
        assertThat(durations.quantileNanos(0.99)).isEqualTo(10);
        assertThat(durations.quantileNanos(0)).isEqualTo(1);
    }

    @Test
    void the_benchmark_of_the_gate_runs() throws InterruptedException {
        GateBenchmark benchmark = new GateBenchmark();
        benchmark.setup();
        benchmark.holdNeverPaused();
        benchmark.holdOftenPaused();
        assertThat(benchmark.readsOfOneTurn()).isZero();
    }
}
