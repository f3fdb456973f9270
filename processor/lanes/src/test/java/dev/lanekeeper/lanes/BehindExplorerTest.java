package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.lanes.BehindModel.Variant;
import dev.lanekeeper.testkit.model.Explorer;
import dev.lanekeeper.testkit.model.Explorer.Exploration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every interleaving of a holder that looks at what is behind it with three that arrive. Shown: what it finds is what comes
 * next, without a gap, and none of it has had its turn; and that it looks keeps nobody from having it.
 */
class BehindExplorerTest {
    private static final int MOST_STATES = 100_000;

    @Test
    void whatIsFoundBehindComesNextInEveryInterleaving() {
        Exploration all = Explorer.explore(new BehindModel(Variant.AS_BUILT), MOST_STATES);

        assertThat(all.fault()).as(all.toString()).isEmpty();
        assertThat(all.ends()).as(all.toString()).isGreaterThan(1);
    }

    @ParameterizedTest
    @EnumSource(names = "AS_BUILT", mode = EnumSource.Mode.EXCLUDE)
    void eachWayToGetItWrongIsFound(Variant variant) {
        Exploration found = Explorer.explore(new BehindModel(variant), MOST_STATES);

        assertThat(found.fault()).as(found.toString()).isPresent();
    }
}
