package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.testkit.KeyOrderLedger;
import dev.lanekeeper.testkit.KeyOrderLedger.Kind;
import dev.lanekeeper.testkit.KeyOrderLedger.Violation;
import dev.lanekeeper.testkit.Seed;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The check that lanes pass in {@link LanesOrderTest}, put to things that are not lanes: it must tell. */
@ExtendWith(Seed.class)
@SuppressWarnings({"FutureReturnValueIgnored", "ReturnValueIgnored"}) // who ignores a stage is what is tested
class PlantedFaultsTest {
    private enum Fault {
        NONE,
        NO_LANES_AT_ALL,
        TWO_IN,
        LANE_DROPPED_BEFORE_ITS_TASK_ENDED,
        RELEASED_WHEN_THE_TASK_RETURNS,
        LAST_IN_FIRST_OUT,
        EVERY_HUNDREDTH_LOST,
        EVERY_HUNDREDTH_TWICE
    }

    @ParameterizedTest
    @CsvSource({
        "NO_LANES_AT_ALL, OVERLAP",
        "NO_LANES_AT_ALL, START_ORDER",
        "TWO_IN, OVERLAP",
        "LANE_DROPPED_BEFORE_ITS_TASK_ENDED, OVERLAP",
        "RELEASED_WHEN_THE_TASK_RETURNS, OVERLAP",
        "LAST_IN_FIRST_OUT, START_ORDER",
        "EVERY_HUNDREDTH_LOST, LOST",
        "EVERY_HUNDREDTH_TWICE, DUPLICATE"
    })
    void theSimulatedCheckFindsEachFault(Fault fault, Kind kind, RandomGenerator random) {
        KeyOrderLedger<Integer> ledger =
                OrderCheck.simulated(random, 5, 1_000, executor -> new StandIn(fault, executor)::submit);

        assertThat(ledger.violations()).extracting(Violation::kind).contains(kind);
    }

    @Test
    void theSimulatedCheckPassesAStandInWithoutFault(RandomGenerator random) {
        OrderCheck.simulated(random, 5, 1_000, executor -> new StandIn(Fault.NONE, executor)::submit)
                .assertClean();
    }

    @Test
    void theThreadedCheckFindsThatThereAreNoLanes() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        try {
            KeyOrderLedger<Integer> ledger =
                    OrderCheck.threaded((key, task) -> pool.execute(task::get), pool, 4, 5, 5_000);
            Awaitility.await().until(ledger::isComplete);

            assertThat(ledger.violations()).extracting(Violation::kind).contains(Kind.OVERLAP);
        } finally {
            pool.shutdown();
            assertThat(pool.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** Lanes for one thread, which all simulated steps run on. */
    private static final class StandIn {
        private static final class Line {
            private final ArrayDeque<Supplier<CompletionStage<?>>> queue = new ArrayDeque<>();
            private int inside;
        }

        private final Fault fault;
        private final Executor executor;
        private final Map<Integer, Line> lines = new HashMap<>();
        private int submitted;

        StandIn(Fault fault, Executor executor) {
            this.fault = fault;
            this.executor = executor;
        }

        void submit(Integer key, Supplier<CompletionStage<?>> task) {
            boolean hundredth = ++submitted % 100 == 0;
            if (fault == Fault.NO_LANES_AT_ALL) {
                executor.execute(task::get);
                return;
            }
            if (hundredth && fault == Fault.EVERY_HUNDREDTH_LOST) {
                return;
            }
            Line line = lines.computeIfAbsent(key, name -> new Line());
            line.queue.add(task);
            if (hundredth && fault == Fault.EVERY_HUNDREDTH_TWICE) {
                line.queue.add(task);
            }
            next(key, line);
        }

        private void next(Integer key, Line line) {
            int room = fault == Fault.TWO_IN ? 2 : 1;
            if (line.inside >= room || line.queue.isEmpty()) {
                return;
            }
            line.inside++;
            boolean last = fault == Fault.LAST_IN_FIRST_OUT;
            Supplier<CompletionStage<?>> task = last ? line.queue.removeLast() : line.queue.removeFirst();
            executor.execute(() -> run(key, line, task));
        }

        private void run(Integer key, Line line, Supplier<CompletionStage<?>> task) {
            if (fault == Fault.LANE_DROPPED_BEFORE_ITS_TASK_ENDED && line.queue.isEmpty()) {
                lines.remove(key);
            }
            CompletionStage<?> stage = task.get();
            if (fault == Fault.RELEASED_WHEN_THE_TASK_RETURNS) {
                leave(key, line);
            } else {
                stage.thenRun(() -> leave(key, line));
            }
        }

        private void leave(Integer key, Line line) {
            line.inside--;
            next(key, line);
        }
    }
}
