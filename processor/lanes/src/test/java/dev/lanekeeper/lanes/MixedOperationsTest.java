package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.lanes.MixedOperations.Subject;
import dev.lanekeeper.testkit.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lanes under any mix of operations, held against a list of what arrived; and lanes with a fault, which must be noticed. */
@ExtendWith(Seed.class)
class MixedOperationsTest {
    private enum Fault {
        NONE,
        BULK_HOLDS_ITS_FIRST_LANE_ONLY,
        PAUSE_HELD_AT_ONCE,
        HUNDREDTH_TASK_LOST,
        HUNDREDTH_TASK_TWICE,
        HOLDS_OVERTAKE
    }

    @RepeatedTest(100)
    void everyMixOfOperationsIsAsInTheModel(RandomGenerator random) {
        List<Lanes<Integer>> made = new ArrayList<>();

        List<String> faults = MixedOperations.faults(random, 400, executor -> new Faulty(Fault.NONE, made, executor));

        assertThat(faults).isEmpty();
        assertThat(made.get(0).view().live()).isZero();
        assertThat(made.get(0).view().blockers()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "BULK_HOLDS_ITS_FIRST_LANE_ONLY, begun before one that came earlier had ended",
        "PAUSE_HELD_AT_ONCE, a pause was held while something ran",
        "PAUSE_HELD_AT_ONCE, begun inside a pause",
        "HUNDREDTH_TASK_LOST, lost",
        "HUNDREDTH_TASK_TWICE, begun twice",
        "HOLDS_OVERTAKE, begun before one that came earlier had ended"
    })
    void eachFaultIsFound(Fault fault, String found, RandomGenerator random) {
        List<String> faults =
                MixedOperations.faults(random, 1_000, executor -> new Faulty(fault, new ArrayList<>(), executor));

        assertThat(faults).contains(found);
    }

    /** Lanes, but for the fault. */
    private static final class Faulty implements Subject {
        private final Fault fault;
        private final Lanes<Integer> lanes;
        private int submitted;

        Faulty(Fault fault, List<Lanes<Integer>> made, Executor executor) {
            this.fault = fault;
            this.lanes = Lanes.<Integer>builder().executor(executor).build();
            made.add(lanes);
        }

        private List<Integer> held(List<Integer> keys) {
            return fault == Fault.BULK_HOLDS_ITS_FIRST_LANE_ONLY ? keys.subList(0, 1) : keys;
        }

        @Override
        public CompletableFuture<Hold> acquire(Integer key) {
            return lanes.acquire(fault == Fault.HOLDS_OVERTAKE ? -1 : key);
        }

        @Override
        public CompletableFuture<Hold> acquireAll(List<Integer> keys) {
            return lanes.acquireAll(held(keys));
        }

        @Override
        public CompletableFuture<?> submitAll(List<Integer> keys, Runnable task) {
            boolean hundredth = ++submitted % 100 == 0;
            int times = switch (fault) {
                case HUNDREDTH_TASK_LOST -> hundredth ? 0 : 1;
                case HUNDREDTH_TASK_TWICE -> hundredth ? 2 : 1;
                default -> 1;
            };
            CompletableFuture<?> last = new CompletableFuture<>();
            for (int i = 0; i < times; i++) {
                last = lanes.submitAll(held(keys), () -> {
                    task.run();
                    return true;
                });
            }
            return last;
        }

        @Override
        public CompletableFuture<Pause> pause(PauseMode mode, Duration timeout) {
            return fault == Fault.PAUSE_HELD_AT_ONCE
                    ? CompletableFuture.completedFuture(() -> {})
                    : lanes.pause(mode, timeout);
        }
    }
}
