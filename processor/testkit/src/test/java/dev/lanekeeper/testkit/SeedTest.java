package dev.lanekeeper.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.EventConditions;
import org.junit.platform.testkit.engine.TestExecutionResultConditions;

@ExtendWith(Seed.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SeedTest {
    private final List<Integer> drawn = new ArrayList<>();

    @RepeatedTest(3)
    void repetitionsDrawDifferentNumbers(RandomGenerator random) {
        int number = random.nextInt();
        assertThat(drawn).doesNotContain(number);
        drawn.add(number);
    }

    @Test
    void oneSeedAndTestDrawTheSameNumbersAgain() {
        assertThat(first(1, "test")).isEqualTo(first(1, "test"));
        assertThat(first(1, "test")).isNotEqualTo(first(2, "test"));
        assertThat(first(1, "test")).isNotEqualTo(first(1, "other"));
    }

    private static long first(long seed, String test) {
        return Seed.random(seed, test, 0).nextLong();
    }

    @Test
    void twoParametersDifferAndOthersAreLeftAlone(Random one, Random two, TestInfo info) {
        assertThat(one.nextLong()).isNotEqualTo(two.nextLong());
        assertThat(info.getDisplayName()).isNotEmpty();
    }

    @Test
    void aFailureCarriesTheSeed() {
        EngineTestKit.engine("junit-jupiter")
                .selectors(DiscoverySelectors.selectClass(Failing.class))
                .execute()
                .testEvents()
                .assertThatEvents()
                .haveExactly(
                        1,
                        EventConditions.finishedWithFailure(
                                TestExecutionResultConditions.message("planted"),
                                TestExecutionResultConditions.suppressed(
                                        0,
                                        TestExecutionResultConditions.message(
                                                "run it again with -Dlanekeeper.seed=" + Seed.value()))));
    }

    /** Not a test of its own: {@link #aFailureCarriesTheSeed} runs it. */
    @ExtendWith(Seed.class)
    static class Failing {
        @Test
        void fails(Random random) {
            throw new IllegalStateException("planted", null);
        }
    }

    @Test
    void aSeedThatIsNoNumberIsNamed() {
        assertThat(Seed.parse(" 42 ")).isEqualTo(42);
        assertThatThrownBy(() -> Seed.parse("lucky"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lanekeeper.seed")
                .hasMessageContaining("lucky");
    }
}
