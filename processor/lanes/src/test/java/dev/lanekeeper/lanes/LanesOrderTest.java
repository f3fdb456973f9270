package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.testkit.KeyOrderLedger;
import dev.lanekeeper.testkit.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Order and exclusion for each key, parallelism between keys, and what a task may see. */
@ExtendWith(Seed.class)
@SuppressWarnings("FutureReturnValueIgnored") // of most tasks it matters what they did, not what they gave
class LanesOrderTest {
    private final ExecutorService elsewhere = Executors.newFixedThreadPool(2);
    private final List<ExecutorService> pools = new ArrayList<>(List.of(elsewhere));

    private enum Threads {
        FIXED,
        SINGLE,
        FORK_JOIN,
        OF_THE_LANES,
        OF_THE_CALLER
    }

    private Lanes<Integer> lanesOn(Threads threads) {
        Lanes.Builder<Integer> builder = Lanes.builder();
        return switch (threads) {
            case FIXED ->
                builder.executor(pool(Executors.newFixedThreadPool(4))).build();
            case SINGLE ->
                builder.executor(pool(Executors.newSingleThreadExecutor())).build();
            case FORK_JOIN -> builder.executor(pool(new ForkJoinPool(4))).build();
            case OF_THE_LANES -> builder.build();
            case OF_THE_CALLER -> builder.executor(Runnable::run).build();
        };
    }

    private Executor pool(ExecutorService pool) {
        pools.add(pool);
        return pool;
    }

    @AfterEach
    void endThreads() {
        pools.forEach(ExecutorService::shutdownNow);
    }

    @ParameterizedTest
    @EnumSource
    void tasksOfAKeyRunOneAtATimeAndInOrder(Threads threads) throws Exception {
        Lanes<Integer> lanes = lanesOn(threads);

        KeyOrderLedger<Integer> ledger = OrderCheck.threaded(lanes::submitAsync, elsewhere, 4, 7, 10_000);
        Soon.closed(lanes);

        ledger.assertClean();
        assertThat(ledger.comparisons()).isGreaterThan(39_000);
        assertThat(lanes.view().live()).isZero();
    }

    @RepeatedTest(100)
    void tasksOfAKeyKeepTheirOrderInAnySchedule(RandomGenerator random) {
        List<Lanes<Integer>> made = new ArrayList<>();

        KeyOrderLedger<Integer> ledger = OrderCheck.simulated(random, 1 + random.nextInt(8), 500, executor -> {
            Lanes<Integer> lanes = Lanes.<Integer>builder().executor(executor).build();
            made.add(lanes);
            return lanes::submitAsync;
        });

        ledger.assertClean();
        assertThat(made.get(0).view().live()).isZero();
    }

    /** Nothing here orders the arrivals of different threads, and nothing but the lane guards the plain fields. */
    @Test
    void threadsThatSubmitAtOnceEachKeepTheirOwnOrder() throws Exception {
        int producers = 4;
        int tasksOfEach = 25_000;
        int keys = 3;
        Lanes<Integer> lanes = lanesOn(Threads.FIXED);
        Plain[] plain = {new Plain(producers), new Plain(producers), new Plain(producers)};
        CyclicBarrier start = new CyclicBarrier(producers);
        List<Thread> threads = new ArrayList<>();
        for (int producer = 0; producer < producers; producer++) {
            int me = producer;
            Thread thread = new Thread(() -> {
                try {
                    Soon.met(start);
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
                for (int i = 1; i <= tasksOfEach; i++) {
                    int number = i;
                    Plain mine = plain[i % keys];
                    lanes.submit(i % keys, () -> mine.take(me, number));
                }
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            Soon.ended(thread);
        }
        Soon.closed(lanes);

        assertThat(plain).extracting(seen -> seen.disorder).containsOnly(0);
        assertThat(plain[0].count + plain[1].count + plain[2].count).isEqualTo(producers * tasksOfEach);
    }

    /** Fields without any protection of their own. */
    private static final class Plain {
        private final int[] lastOf;
        private int count;
        private int disorder;

        Plain(int producers) {
            lastOf = new int[producers];
        }

        boolean take(int producer, int number) {
            disorder += number <= lastOf[producer] ? 1 : 0;
            lastOf[producer] = number;
            count++;
            return true;
        }
    }

    @Test
    void aTaskSeesWhatTheOneBeforeItWroteOnAnotherThread() throws Exception {
        int tasks = 20_000;
        Lanes<Integer> lanes = lanesOn(Threads.FIXED);
        int[] plain = new int[1];
        for (int i = 0; i < tasks; i++) {
            boolean atOnce = i % 3 == 0;
            lanes.submitAsync(1, () -> {
                plain[0]++;
                return atOnce
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.runAsync(() -> plain[0]++, elsewhere);
            });
        }

        int seen = Soon.result(lanes.submit(1, () -> plain[0]));

        assertThat(seen).isEqualTo(tasks + tasks - (tasks + 2) / 3);
    }

    @Test
    void tasksOfTwoKeysRunAtOnce() throws Exception {
        Lanes<Integer> lanes = lanesOn(Threads.FIXED);
        CyclicBarrier both = new CyclicBarrier(2);

        CompletableFuture<Boolean> first = lanes.submit(1, () -> meet(both));
        CompletableFuture<Boolean> second = lanes.submit(2, () -> meet(both));

        assertThat(Soon.result(first)).isTrue();
        assertThat(Soon.result(second)).isTrue();
    }

    private static boolean meet(CyclicBarrier barrier) throws Exception {
        Soon.met(barrier);
        return true;
    }

    @Test
    void anOpenStageHoldsItsLaneUntilAnotherThreadCompletesIt() throws Exception {
        Lanes<Integer> lanes = lanesOn(Threads.FIXED);
        CompletableFuture<String> open = new CompletableFuture<>();
        AtomicBoolean nextRan = new AtomicBoolean();
        CompletableFuture<String> first = lanes.submitAsync(1, () -> open);
        CompletableFuture<Boolean> next = lanes.submit(1, () -> nextRan.getAndSet(true));
        for (int i = 0; i < 100; i++) { // whatever might let the next one in has had its chance
            Soon.result(lanes.submit(2, () -> true));
        }
        assertThat(nextRan).isFalse();
        assertThat(first).isNotDone();

        elsewhere.execute(() -> open.complete("done"));

        assertThat(Soon.result(first)).isEqualTo("done");
        assertThat(Soon.result(next)).as("had the next one run before").isFalse();
    }

    @Test
    void openStagesHoldNoThread() throws Exception {
        Lanes<Integer> lanes = lanesOn(Threads.SINGLE);
        List<CompletableFuture<Integer>> open = new ArrayList<>();
        List<CompletableFuture<Integer>> results = new ArrayList<>();
        for (int key = 0; key < 1_000; key++) {
            CompletableFuture<Integer> stage = new CompletableFuture<>();
            open.add(stage);
            results.add(lanes.submitAsync(key, () -> stage));
        }
        Awaitility.await().until(() -> lanes.view().inFlight() == 1_000);

        for (int key = 999; key >= 0; key--) {
            open.get(key).complete(key);
            assertThat(Soon.result(results.get(key))).isEqualTo(key);
        }
    }

    @Test
    void aLaneWithEndlessWorkDoesNotStarveAnother() throws Exception {
        Lanes<Integer> lanes = lanesOn(Threads.SINGLE);
        AtomicBoolean enough = new AtomicBoolean();
        CountDownLatch going = new CountDownLatch(1);
        again(lanes, going, enough);
        again(lanes, going, enough); // two, so that each has a successor
        Soon.reached(going);

        assertThat(Soon.result(lanes.submit(2, () -> "had its turn"))).isEqualTo("had its turn");
        enough.set(true);
        Soon.closed(lanes);
    }

    private static void again(Lanes<Integer> lanes, CountDownLatch going, AtomicBoolean enough) {
        lanes.submit(1, () -> {
            going.countDown();
            if (!enough.get()) {
                again(lanes, going, enough);
            }
            return true;
        });
    }
}
