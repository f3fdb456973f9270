package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.lanes.DependentModel.Variant;
import dev.lanekeeper.testkit.model.Explorer;
import dev.lanekeeper.testkit.model.Explorer.Exploration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every interleaving of a task's end with a dependent that is attached to its future, and waits for the next task. */
class DependentExplorerTest {
    private static final int MOST_STATES = 10_000;

    @Test
    void theDependentGetsItsSuccessorInEveryInterleaving() {
        Exploration all = Explorer.explore(new DependentModel(Variant.AS_BUILT), MOST_STATES);

        assertThat(all.fault()).as(all.toString()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = "AS_BUILT", mode = EnumSource.Mode.EXCLUDE)
    void eachWayToGetItWrongIsFound(Variant variant) {
        Exploration found = Explorer.explore(new DependentModel(variant), MOST_STATES);

        assertThat(found.fault()).as(found.toString()).isPresent();
    }
}
