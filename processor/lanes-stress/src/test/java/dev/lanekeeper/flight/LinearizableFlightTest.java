package dev.lanekeeper.flight;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever threads ask at once, each key is computed once, and the answers are those of some order of calls. */
class LinearizableFlightTest {
    /** Of each scenario. */
    private static final int INTERLEAVINGS = Integer.getInteger("lanekeeper.interleavings", 100);

    private static ModelCheckingOptions threads(int threads) {
        return new ModelCheckingOptions()
                .threads(threads)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(0)
                .iterations(4)
                .invocationsPerIteration(INTERLEAVINGS)
                .minimizeFailedScenario(false)
                .sequentialSpecification(FlightsByOneThread.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void flightsAre(int threads) {
        threads(threads).check(FlightsAsBuilt.class);
    }

    @Test
    void plantedFlightsAreFoundNotToBe() {
        assertThatThrownBy(() -> threads(2).check(FaultyFlights.class))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("Invalid execution results");
    }
}
