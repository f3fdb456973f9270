package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever threads call at once, the answers are those of some order of calls one after another. Lincheck makes scenarios of
 * the calls and tries interleavings of the real code, with a switch at any access to memory that threads share. It takes the
 * memory for sequentially consistent: what the processor may do besides is for {@link ForbiddenOutcomesTest}.
 *
 * <p>{@code -Dlanekeeper.interleavings=10000} tries more than the hundred of each scenario that are tried by default.
 */
class LinearizableTest {
    /** Of each scenario. */
    private static final int INTERLEAVINGS = Integer.getInteger("lanekeeper.interleavings", 100);

    private static ModelCheckingOptions threads(int threads) {
        return new ModelCheckingOptions()
                .threads(threads)
                .actorsPerThread(3)
                .actorsBefore(0)
                .actorsAfter(0)
                .iterations(12)
                .invocationsPerIteration(INTERLEAVINGS)
                .minimizeFailedScenario(false);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void linesAre(int threads) {
        threads(threads).sequentialSpecification(LinesByOneThread.class).check(LinesOfLanes.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void holdsAre(int threads) {
        threads(threads).sequentialSpecification(HoldsByOneThread.class).check(HoldsOfLanes.class);
    }

    @Test
    void plantedLinesAreFoundNotToBe() {
        ModelCheckingOptions check = threads(2).sequentialSpecification(LinesByOneThread.class);

        assertThatThrownBy(() -> check.check(FaultyLines.class))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("Invalid execution results");
    }

    @Test
    void plantedHoldsAreFoundNotToBe() {
        ModelCheckingOptions check = threads(2).sequentialSpecification(HoldsByOneThread.class);

        assertThatThrownBy(() -> check.check(FaultyHolds.class))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("Invalid execution results");
    }
}
