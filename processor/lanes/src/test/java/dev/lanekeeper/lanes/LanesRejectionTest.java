package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.testkit.Seed;
import dev.lanekeeper.testkit.SteppingExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An executor that refuses fails the task it refused, and no other promise. */
@ExtendWith(Seed.class)
class LanesRejectionTest {
    private final RejectedExecutionException refusal = new RejectedExecutionException("no room");

    @Test
    void aTaskThatTheExecutorRefusesFailsWithWhatWasThrown() throws Exception {
        Lanes<String> lanes = Lanes.<String>builder()
                .executor(task -> {
                    throw refusal;
                })
                .build();

        assertThat(Soon.failure(lanes.submit("a", () -> "never"))).isSameAs(refusal);
        assertThat(Soon.failure(lanes.submitAsync("a", CompletableFuture::new))).isSameAs(refusal);
        assertThat(lanes.view().live()).isZero();
    }

    @Test
    void anErrorOfTheExecutorCountsAsRefusal() throws Exception {
        OutOfMemoryError noThread = new OutOfMemoryError("unable to create native thread");
        Lanes<String> lanes = Lanes.<String>builder()
                .executor(task -> {
                    throw noThread;
                })
                .build();

        assertThat(Soon.failure(lanes.submit("a", () -> "never"))).isSameAs(noThread);
        assertThat(lanes.view().live()).isZero();
    }

    @Test
    void whatIsQueuedWhenTheExecutorIsShutDownRunsOrFails() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Lanes<String> lanes = Lanes.<String>builder().executor(pool).build();
        CountDownLatch gate = new CountDownLatch(1);
        AtomicInteger ran = new AtomicInteger();
        List<CompletableFuture<Integer>> results = new ArrayList<>();
        results.add(lanes.submit("a", () -> {
            Soon.reached(gate);
            return ran.incrementAndGet();
        }));
        for (int i = 1; i < 1_000; i++) {
            results.add(lanes.submit("a", ran::incrementAndGet));
        }

        pool.shutdown();
        gate.countDown();
        assertThat(pool.awaitTermination(30, TimeUnit.SECONDS)).isTrue();

        assertThat(results).allMatch(CompletableFuture::isDone);
        int failed = 0;
        for (int i = 0; i < results.size(); i++) {
            if (results.get(i).isCompletedExceptionally()) {
                assertThat(Soon.failure(results.get(i))).isInstanceOf(RejectedExecutionException.class);
                failed++;
            } else {
                assertThat(results.get(i)).as("order of those that ran").isCompletedWithValue(i + 1);
            }
        }
        assertThat(ran.get() + failed).isEqualTo(1_000);
        assertThat(lanes.view().live()).isZero();
    }

    @Test
    void anExecutorThatRefusesAtRandomLosesNoLaneAndNoOrder(RandomGenerator random) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        RandomlyRefusing refusing = new RandomlyRefusing(pool, random);
        Lanes<Integer> lanes = Lanes.<Integer>builder().executor(refusing).build();
        int keys = 5;
        int[][] last = new int[keys][1]; // each guarded by its lane
        AtomicInteger disorder = new AtomicInteger();
        List<CompletableFuture<Boolean>> results = new ArrayList<>();
        for (int i = 1; i <= 30_000; i++) {
            int number = i;
            int key = i % keys;
            results.add(lanes.submitAsync(key, () -> {
                disorder.addAndGet(number > last[key][0] ? 0 : 1);
                last[key][0] = number;
                return number % 2 == 0
                        ? CompletableFuture.completedFuture(true)
                        : CompletableFuture.supplyAsync(() -> true, pool);
            }));
        }

        int refused = 0;
        for (CompletableFuture<Boolean> result : results) {
            Throwable failure = result.handle((value, thrown) -> thrown).get(30, TimeUnit.SECONDS);
            refused += failure == null ? 0 : 1;
        }
        pool.shutdown();

        // a refusal while another worker is there fails nobody: that one sees to what is ready
        assertThat(refused).isBetween(1, refusing.refusals.get());
        assertThat(disorder).hasValue(0);
        assertThat(lanes.view().live()).isZero();
    }

    private static final class RandomlyRefusing implements Executor {
        private final Executor target;
        private final RandomGenerator random;
        private final AtomicInteger refusals = new AtomicInteger();

        RandomlyRefusing(Executor target, RandomGenerator random) {
            this.target = target;
            this.random = random;
        }

        @Override
        public void execute(Runnable task) {
            synchronized (this) {
                if (random.nextInt(3) == 0) {
                    refusals.incrementAndGet();
                    throw new RejectedExecutionException("by chance");
                }
            }
            target.execute(task);
        }
    }

    @Test
    void aTaskThatTheExecutorTakesAndRefusesAtOnceIsRefusedAndDoesNotRun() throws Exception {
        SteppingExecutor stepping = new SteppingExecutor();
        Lanes<String> lanes = Lanes.<String>builder()
                .executor(task -> {
                    stepping.execute(task);
                    throw refusal;
                })
                .build();
        AtomicInteger ran = new AtomicInteger();

        CompletableFuture<Integer> refused = lanes.submit("a", ran::incrementAndGet);
        stepping.runAll();

        assertThat(Soon.failure(refused)).isSameAs(refusal);
        assertThat(ran).hasValue(0);
        assertThat(lanes.view().live()).isZero();
    }

    @Test
    void aMillionQueuedTasksAreRefusedWithoutDeepeningTheStack() throws Exception {
        List<Runnable> accepted = new ArrayList<>();
        Lanes<String> lanes = Lanes.<String>builder()
                .executor(task -> {
                    if (!accepted.isEmpty()) {
                        throw refusal;
                    }
                    accepted.add(task);
                })
                .build();
        AtomicInteger ran = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        for (int i = 0; i < 1_000_000; i++) {
            lanes.enqueue("a", new Ticket<>() {
                @Override
                protected void start() {
                    ran.incrementAndGet();
                    settle();
                }

                @Override
                protected void rejected(Throwable cause) {
                    refused.incrementAndGet();
                }
            });
        }

        SmallStack.run(accepted.get(0));

        assertThat(ran.get()).isPositive();
        assertThat(ran.get() + refused.get()).isEqualTo(1_000_000);
        assertThat(lanes.view().live()).isZero();
    }
}
