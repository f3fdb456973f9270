package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.lanes.TicketModel.Variant;
import dev.lanekeeper.testkit.model.Explorer;
import dev.lanekeeper.testkit.model.Explorer.Exploration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every interleaving of a ticket's starts with those who settle and re-arm it. Shown: the lane is released once, by the
 * one call of {@code settle} that was told so, never while {@code start} runs, and a ticket doesn't stay behind.
 */
class TicketExplorerTest {
    private static final int MOST_STATES = 100_000;

    @Test
    void theProtocolEndsATicketOnceInEveryInterleaving() {
        Exploration all = Explorer.explore(new TicketModel(Variant.AS_BUILT), MOST_STATES);

        assertThat(all.fault()).as(all.toString()).isEmpty();
        assertThat(all.ends()).as(all.toString()).isGreaterThan(1);
    }

    @ParameterizedTest
    @EnumSource(names = "AS_BUILT", mode = EnumSource.Mode.EXCLUDE)
    void eachWayToGetItWrongIsFound(Variant variant) {
        Exploration found = Explorer.explore(new TicketModel(variant), MOST_STATES);

        assertThat(found.fault()).as(found.toString()).isPresent();
    }
}
