package dev.lanekeeper.engine.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import dev.lanekeeper.testkit.Seed;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Engines in many worlds in which all kinds of things go wrong: no promise is broken. {@code -Dlanekeeper.simulation.seeds}
 * says in how many, {@code -Dlanekeeper.seed} with which seed to begin.
 */
class SimulationTest {
    private static final int SEEDS = Integer.getInteger("lanekeeper.simulation.seeds", 10_000);

    @RegisterExtension
    static final Silence SILENCE = new Silence(SEEDS > 1);

    @Test
    void noPromiseIsBrokenInAnyWorld() {
        Optional<Seeds.Failure> failure = Seeds.firstFailure(Seed.value(), SEEDS, () -> Sabotage.NONE);
        failure.ifPresent(found -> {
            long seed = found.plan().seed();
            fail(Seeds.shrink(found, () -> Sabotage.NONE).report(seed));
        });
    }

    @Test
    void aSeedGoesTheSameWayEachTime() {
        for (long seed = Seed.value(); seed < Seed.value() + 20; seed++) {
            assertThat(new World(Plan.of(seed), Sabotage.NONE).run().events())
                    .isEqualTo(new World(Plan.of(seed), Sabotage.NONE).run().events());
        }
    }
}
