package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.lanes.CloseModel.Variant;
import dev.lanekeeper.testkit.model.Explorer;
import dev.lanekeeper.testkit.model.Explorer.Exploration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every interleaving of a close with two submitters: it returns, and not before all that was accepted has run. */
class CloseExplorerTest {
    private static final int MOST_STATES = 100_000;

    @Test
    void closeReturnsWhenAllHaveRunInEveryInterleaving() {
        Exploration all = Explorer.explore(new CloseModel(Variant.AS_BUILT), MOST_STATES);

        assertThat(all.fault()).as(all.toString()).isEmpty();
        assertThat(all.ends()).as(all.toString()).isGreaterThan(1);
    }

    @ParameterizedTest
    @EnumSource(names = "AS_BUILT", mode = EnumSource.Mode.EXCLUDE)
    void eachWayToGetItWrongIsFound(Variant variant) {
        Exploration found = Explorer.explore(new CloseModel(variant), MOST_STATES);

        assertThat(found.fault()).as(found.toString()).isPresent();
    }
}
