package dev.lanekeeper.demo.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ParallelismTest {
    private final long seed = Long.getLong("lanekeeper.seed", 42);

    @Test
    void nothingRanMeansNone() {
        assertThat(Parallelism.mostAtOnce(List.of())).isZero();
    }

    @Test
    void countsCustomersNotRuns() {
        assertThat(Parallelism.mostAtOnce(List.of(new Run("a", 0, 10), new Run("a", 5, 15), new Run("b", 9, 11))))
                .isEqualTo(2);
    }

    @Test
    void oneThatEndsWhenAnotherBeginsIsOver() {
        assertThat(Parallelism.mostAtOnce(List.of(new Run("a", 0, 10), new Run("b", 10, 20))))
                .isEqualTo(1);
    }

    @Test
    void agreesWithLookingAtEveryMoment() {
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            List<Run> runs = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                long start = random.nextInt(100);
                runs.add(new Run("c" + random.nextInt(8), start, start + random.nextInt(20)));
            }
            long most = 0;
            for (int moment = 0; moment < 120; moment++) {
                int at = moment;
                most = Math.max(
                        most,
                        runs.stream()
                                .filter(run -> run.startNanos() <= at && at < run.endNanos())
                                .map(Run::customerId)
                                .distinct()
                                .count());
            }
            assertThat(Parallelism.mostAtOnce(runs))
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo((int) most);
        }
    }
}
