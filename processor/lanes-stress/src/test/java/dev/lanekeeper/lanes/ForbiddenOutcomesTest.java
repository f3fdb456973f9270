package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.TestGrading;

/**
 * Each race of two threads is run hundreds of thousands of times: no outcome that its scenario forbids is seen, and those
 * of the planted faults are. What is not seen on this processor may still be seen on another one: x86 reorders nothing but
 * a read before an earlier write. The profile {@code full-stress} runs them for longer and compiled in all the ways that
 * there are.
 */
class ForbiddenOutcomesTest {
    private static final int FEW = 1_000;

    static Stream<String> real() {
        return Races.real();
    }

    static Stream<String> planted() {
        return Races.planted();
    }

    @ParameterizedTest
    @MethodSource("real")
    void noneIsSeen(String scenario) throws Exception {
        TestResult seen = Races.run(scenario);

        assertThat(seen.status()).as(seen.getMessages().toString()).isEqualTo(Status.NORMAL);
        assertThat(seen.getTotalCount()).as("runs").isGreaterThan(FEW);
        assertThat(forbidden(seen)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("planted")
    void eachPlantedOneIsSeen(String scenario) throws Exception {
        TestResult seen = Races.run(scenario);

        assertThat(seen.status()).as(seen.getMessages().toString()).isEqualTo(Status.NORMAL);
        assertThat(forbidden(seen)).as("%s", seen.getStateKeys()).isNotEmpty();
    }

    @Test
    void everyKindOfRaceIsThereWithItsPlantedFault() {
        assertThat(real().map(ForbiddenOutcomesTest::kind).distinct())
                .contains("HandOver", "LaneLife", "StartAndPause", "CompletionWord", "HoldHandOver", "BeginAndJoin");
        assertThat(planted()).hasSize(5);
    }

    private static String kind(String scenario) {
        String[] names = scenario.split("\\.", -1);
        return names[names.length - 2];
    }

    private static List<String> forbidden(TestResult seen) {
        return TestGrading.grade(seen).failureMessages;
    }
}
