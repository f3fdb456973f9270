package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.lanes.ComputeLanes.Fault;
import dev.lanekeeper.testkit.Seed;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The lanes beside the oracle, {@link ComputeLanes}: many threads put both through the same programme, and where no schedule can
 * explain a difference there must be none. Both must also keep what holds in any schedule. Oracles with a fault are
 * found by each of the two checks.
 *
 * <p>Not compared: the order between submitters, which is a matter of chance, and what comes of a race.
 */
@ExtendWith(Seed.class)
class DifferentialTest {
    private static final int WORKERS = 4;

    @RepeatedTest(20)
    void underManyThreadsLanesDoWhatTheOracleDoes(RandomGenerator random) throws Exception {
        compare(Programme.random(random, 4, 800, 1 + random.nextInt(8)), 1 + random.nextInt(WORKERS));
    }

    /** With one submitter the order on each key is the whole order. */
    @RepeatedTest(10)
    void ofOneSubmitterTheyRunTheSameTasksInTheSameOrder(RandomGenerator random) throws Exception {
        compare(Programme.random(random, 1, 1_500, 1 + random.nextInt(8)), 1 + random.nextInt(WORKERS));
    }

    private static void compare(Programme programme, int workers) throws Exception {
        ProgrammeHistory oracle = ProgrammeRun.history(programme, workers, pool -> new ComputeLanes(pool, Fault.NONE));
        ProgrammeHistory lanes = ProgrammeRun.history(programme, workers, RealLanes::new);

        assertThat(oracle.faults()).as("faults of the oracle").isEmpty();
        assertThat(lanes.faults()).as("faults of the lanes").isEmpty();
        assertThat(lanes.differences(oracle)).isEmpty();
        assertThat(lanes.comparisons()).isGreaterThan(programme.size() / 2);
    }

    @ParameterizedTest
    @CsvSource({
        "LANE_FORGOTTEN_WHILE_ITS_TASK_RUNS, overlap, ",
        "LEAVES_WHEN_THE_TASK_RETURNS, overlap, ",
        "NEWEST_FIRST, order, order on key",
        "FORTIETH_TOLD_BUT_NOT_RUN, runs: 0, 0 runs",
        "FORTIETH_RUN_TWICE, runs: 2, 2 runs",
        "EMPTY_LANES_KEPT, left, lanes left where the oracle has 0",
        "BULK_TAKES_ITS_FIRST_LANE_ONLY, overlap, ",
        "CANCELLED_TASKS_RUN, cancelled in line but ran, 1 runs",
        "FAILURES_ARE_SWALLOWED, outcome: gave null, gave null",
        "HOLDS_GRANTED_AT_ONCE, overlap, "
    })
    void eachFaultIsFound(Fault fault, String found, @Nullable String differs, RandomGenerator random)
            throws Exception {
        Programme programme = Programme.random(random, 4, 800, 3);

        ProgrammeHistory oracle = ProgrammeRun.history(programme, WORKERS, pool -> new ComputeLanes(pool, Fault.NONE));
        ProgrammeHistory faulty = ProgrammeRun.history(programme, WORKERS, pool -> new ComputeLanes(pool, fault));

        assertThat(faulty.faults()).anyMatch(each -> each.startsWith(found));
        if (differs != null) { // an overlap is none between two histories: only who was inside can tell
            assertThat(faulty.differences(oracle)).anyMatch(each -> each.contains(differs));
        }
    }

    /** Lanes as they are. */
    private static final class RealLanes implements ProgrammeRun.Subject {
        private final Lanes<Integer> lanes;

        RealLanes(ExecutorService pool) {
            lanes = Lanes.<Integer>builder().executor(pool).build();
        }

        @Override
        public <T> CompletableFuture<T> submit(List<Integer> keys, Callable<T> task) {
            return keys.size() == 1 ? lanes.submit(keys.get(0), task) : lanes.submitAll(keys, task);
        }

        @Override
        public <T> CompletableFuture<T> submitAsync(List<Integer> keys, Supplier<CompletionStage<T>> task) {
            return keys.size() == 1 ? lanes.submitAsync(keys.get(0), task) : lanes.submitAllAsync(keys, task);
        }

        @Override
        public CompletableFuture<Hold> acquire(List<Integer> keys) {
            return keys.size() == 1 ? lanes.acquire(keys.get(0)) : lanes.acquireAll(keys);
        }

        @Override
        public int live() {
            return lanes.view().live();
        }
    }
}
