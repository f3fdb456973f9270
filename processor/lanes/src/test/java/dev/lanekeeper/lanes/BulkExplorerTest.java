package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.lanes.BulkModel.Variant;
import dev.lanekeeper.testkit.model.Explorer;
import dev.lanekeeper.testkit.model.Explorer.Exploration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every interleaving of three bulks that overlap and a single ticket, in a model of how they take their places. Shown for
 * it: whatever runs heads all of its lanes, and nobody waits for ever.
 */
class BulkExplorerTest {
    private static final int MOST_STATES = 3_000_000;

    @Test
    void bulksNeverBlockEachOtherForEver() {
        Exploration all = Explorer.explore(new BulkModel(Variant.AS_BUILT), MOST_STATES);

        assertThat(all.fault()).as(all.toString()).isEmpty();
        assertThat(all.states()).as(all.toString()).isGreaterThan(1_000);
        assertThat(all.ends()).as(all.toString()).isPositive();
    }

    @ParameterizedTest
    @EnumSource(names = "AS_BUILT", mode = EnumSource.Mode.EXCLUDE)
    void eachWayToGetItWrongIsFound(Variant variant) {
        Exploration found = Explorer.explore(new BulkModel(variant), MOST_STATES);

        assertThat(found.fault()).as(found.toString()).isPresent();
    }
}
