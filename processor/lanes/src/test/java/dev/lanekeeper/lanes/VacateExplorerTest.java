package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.lanes.VacateModel.Variant;
import dev.lanekeeper.testkit.model.Explorer;
import dev.lanekeeper.testkit.model.Explorer.Exploration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every interleaving of a bulk that is given up with the lanes that come to it. Shown for it: each lane is left once, and none
 * while the bulk runs.
 */
class VacateExplorerTest {
    private static final int MOST_STATES = 1_000_000;

    @Test
    void eachLaneIsLeftOnceInEveryInterleaving() {
        Exploration all = Explorer.explore(new VacateModel(Variant.AS_BUILT), MOST_STATES);

        assertThat(all.fault()).as(all.toString()).isEmpty();
        assertThat(all.states()).as(all.toString()).isGreaterThan(500);
        assertThat(all.ends()).as(all.toString()).isPositive();
    }

    @ParameterizedTest
    @EnumSource(names = "AS_BUILT", mode = EnumSource.Mode.EXCLUDE)
    void eachWayToGetItWrongIsFound(Variant variant) {
        Exploration found = Explorer.explore(new VacateModel(variant), MOST_STATES);

        assertThat(found.fault()).as(found.toString()).isPresent();
    }
}
