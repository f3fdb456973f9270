package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.lanes.GateModel.Variant;
import dev.lanekeeper.testkit.model.Explorer;
import dev.lanekeeper.testkit.model.Explorer.Exploration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every interleaving of two tickets and two pauses in a row, and of one ticket, two pauses and an alarm that gives the first
 * of them up, in a model of the gate.
 * Shown for it: nothing runs while a pause is held; each pause is held once nothing runs; whatever waits for the gate is
 * started, once, after it has opened for good.
 */
class GateExplorerTest {
    private static final int MOST_STATES = 3_000_000;

    @ParameterizedTest
    @CsvSource({"2, false", "1, true"})
    void theGateKeepsItsPromisesInEveryInterleaving(int tickets, boolean alarm) {
        Exploration all = Explorer.explore(new GateModel(Variant.AS_BUILT, tickets, alarm), MOST_STATES);

        assertThat(all.fault()).as(all.toString()).isEmpty();
        assertThat(all.states()).as(all.toString()).isGreaterThan(1_000);
        assertThat(all.ends()).as(all.toString()).isPositive();
    }

    @ParameterizedTest
    @EnumSource(names = "AS_BUILT", mode = EnumSource.Mode.EXCLUDE)
    void eachWayToGetItWrongIsFound(Variant variant) {
        Exploration withTwoTickets = Explorer.explore(new GateModel(variant, 2, false), MOST_STATES);
        Exploration withAnAlarm = Explorer.explore(new GateModel(variant, 1, true), MOST_STATES);

        assertThat(List.of(withTwoTickets, withAnAlarm))
                .anySatisfy(
                        found -> assertThat(found.fault()).as(found.toString()).isPresent());
    }
}
