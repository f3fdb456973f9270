package dev.lanekeeper.engine.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.testkit.Seed;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulation notices engines that break their promises, each within some hundred worlds, and for the right reason. */
class PlantedFaultTest {
    private static final int SEEDS = 300;

    @RegisterExtension
    static final Silence SILENCE = new Silence(true);

    @ParameterizedTest
    @MethodSource("dev.lanekeeper.engine.simulation.PlantedFault#all")
    void isNoticed(PlantedFault planted) {
        Seeds.Failure failure = Seeds.firstFailure(Seed.value(), SEEDS, planted.sabotage())
                .orElseThrow(() -> new AssertionError(planted + " went unnoticed in " + SEEDS + " worlds"));
        assertThat(planted.noticedBy()).contains(failure.violation().check());

        Seeds.Failure shrunk = Seeds.shrink(failure, planted.sabotage());
        assertThat(shrunk.violation().check()).isEqualTo(failure.violation().check());
        assertThat(shrunk.plan().simpler())
                .hasSizeLessThanOrEqualTo(failure.plan().simpler().size());
        assertThat(shrunk.report(failure.plan().seed()))
                .contains("-Dlanekeeper.seed=" + failure.plan().seed());
    }
}
