package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.lanes.LaneModel.Variant;
import dev.lanekeeper.testkit.model.Explorer;
import dev.lanekeeper.testkit.model.Explorer.Exploration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every interleaving of up to three submitters of one key, in a model of the algorithm. Shown for it: over all lanes that
 * the key ever had, one ticket at a time, in order of arrival, each once, and nothing left behind. Not shown: that the
 * code is the model, which is for the eye and for the tests under load; and more than three tickets at once (four pass too, in a hundred times the time).
 */
class LaneExplorerTest {
    private static final int MOST_STATES = 3_000_000;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void theAlgorithmKeepsItsPromisesInEveryInterleaving(int tickets) {
        Exploration all = Explorer.explore(new LaneModel(Variant.AS_BUILT, tickets), MOST_STATES);

        assertThat(all.fault()).as(all.toString()).isEmpty();
        assertThat(all.ends()).as(all.toString()).isGreaterThanOrEqualTo(tickets);
    }

    @ParameterizedTest
    @EnumSource(names = "AS_BUILT", mode = EnumSource.Mode.EXCLUDE)
    void eachWayToGetItWrongIsFound(Variant variant) {
        Exploration found = Explorer.explore(new LaneModel(variant, 3), MOST_STATES);

        assertThat(found.fault()).as(found.toString()).isPresent();
    }
}
