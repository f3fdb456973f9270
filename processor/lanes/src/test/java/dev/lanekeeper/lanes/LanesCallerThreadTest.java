package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Executors that run tasks in the thread that brings them, always or when they are full: a lane is handed back to the
 * thread that would hand it on, and however long the line, the stack does not grow with it.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of most tasks it matters what they did, not what they gave
class LanesCallerThreadTest {
    private static final int MANY = 300_000;

    private interface Work {
        void submit(Lanes<String> lanes, AtomicInteger ran);
    }

    /** The first task holds the lane while the others queue up; then all of them run on its small stack. */
    private static void assertAllRun(Work work) throws Exception {
        Lanes<String> lanes = Lanes.<String>builder().executor(Runnable::run).build();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch queued = new CountDownLatch(1);
        AtomicInteger ran = new AtomicInteger();
        CompletableFuture<Void> queueing = CompletableFuture.runAsync(() -> {
            Soon.reached(begun);
            for (int i = 0; i < MANY; i++) {
                work.submit(lanes, ran);
            }
            queued.countDown();
        });

        SmallStack.run(() -> lanes.submit("a", () -> {
            begun.countDown();
            Soon.reached(queued);
            return true;
        }));
        Soon.result(queueing);

        assertThat(ran).hasValue(MANY);
        assertThat(lanes.view().live()).isZero();
    }

    @Test
    void aLongLineRunsOnTheThreadOfItsFirstTask() throws Exception {
        assertAllRun((lanes, ran) -> lanes.submit("a", ran::incrementAndGet));
    }

    @Test
    void aLongLineOfTasksWithDependentsRunsOnTheThreadOfItsFirstTask() throws Exception {
        assertAllRun((lanes, ran) -> lanes.submit("a", () -> true).thenRun(ran::incrementAndGet));
    }

    @Test
    void aTicketThatIsRearmedAgainAndAgainRunsOnTheThreadThatBroughtIt() throws Exception {
        Lanes<String> lanes = Lanes.<String>builder().executor(Runnable::run).build();
        AtomicInteger starts = new AtomicInteger();

        SmallStack.run(() -> lanes.enqueue("a", new Ticket<>() {
            @Override
            protected void start() {
                if (starts.incrementAndGet() < MANY) {
                    rearm();
                } else {
                    settle();
                }
            }
        }));

        assertThat(starts).hasValue(MANY);
        assertThat(lanes.view().live()).isZero();
    }

    @Test
    void aPoolThatRunsWhatIsTooMuchInTheCallerLosesNothingAndKeepsTheOrder() throws Exception {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                2, 2, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1), new ThreadPoolExecutor.CallerRunsPolicy());
        Lanes<Integer> lanes = Lanes.<Integer>builder().executor(pool).build();
        List<List<Integer>> order = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        AtomicInteger told = new AtomicInteger();
        for (int i = 0; i < MANY; i++) {
            int number = i;
            lanes.submit(i % 4, () -> order.get(number % 4).add(number)).thenRun(told::incrementAndGet);
        }
        Soon.closed(lanes);
        pool.shutdown();
        assertThat(pool.awaitTermination(30, TimeUnit.SECONDS)).isTrue();

        assertThat(told).hasValue(MANY);
        assertThat(order)
                .allSatisfy(numbers -> assertThat(numbers).hasSize(MANY / 4).isSorted());
    }
}
