package dev.lanekeeper.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.testkit.SteppingExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** One computation of a key at a time, its result shared by all who asked meanwhile. */
@SuppressWarnings({"FutureReturnValueIgnored", "ThreadPriorityCheck"
}) // not all are waited for; a yield gives faults room
class SingleFlightTest {
    private final SteppingExecutor executor = new SteppingExecutor();
    private final SingleFlight<String, String> flight = SingleFlight.on(executor);
    private final AtomicInteger computations = new AtomicInteger();

    private String compute(String key) {
        return key + computations.incrementAndGet();
    }

    private void assertNothingIsLeft() {
        executor.runAll();
        assertThat(flight.underWay()).isZero();
    }

    @Test
    void whoAsksMeanwhileSharesTheResult() {
        CompletableFuture<String> first = flight.get("a", this::compute);
        CompletableFuture<String> second = flight.get("a", key -> "not asked");
        CompletableFuture<String> other = flight.get("b", this::compute);
        assertThat(flight.underWay()).isEqualTo(2);
        executor.runAll();

        assertThat(first).isCompletedWithValue("a1");
        assertThat(second).isCompletedWithValue("a1").isNotSameAs(first);
        assertThat(other).isCompletedWithValue("b2");
        assertNothingIsLeft();
    }

    @Test
    void aResultIsForgottenOnceItIsThere() {
        flight.get("a", this::compute);
        executor.runAll();
        CompletableFuture<String> again = flight.get("a", this::compute);
        executor.runAll();

        assertThat(again).isCompletedWithValue("a2");
    }

    @Test
    void whoeverSeesAResultAndAsksAgainGetsANewOne() {
        CompletableFuture<String> both = flight.get("a", this::compute)
                .thenCompose(first -> flight.get("a", this::compute).thenApply(second -> first + " " + second));
        executor.runAll();

        assertThat(both).isCompletedWithValue("a1 a2");
    }

    @Test
    void aFailureIsSharedAndNotRemembered() {
        IllegalArgumentException failure = new IllegalArgumentException("bad");
        CompletableFuture<String> first = flight.get("a", key -> {
            throw failure;
        });
        CompletableFuture<String> second = flight.get("a", this::compute);
        executor.runAll();
        assertThat(first).isCompletedExceptionally();
        assertThatThrownBy(second::join).isInstanceOf(CompletionException.class).hasCause(failure);

        CompletableFuture<String> third = flight.get("a", this::compute);
        executor.runAll();

        assertThat(third).isCompletedWithValue("a1");
        assertNothingIsLeft();
    }

    @Test
    void anErrorIsAFailureToo() {
        CompletableFuture<String> first = flight.get("a", key -> {
            throw new StackOverflowError();
        });
        executor.runAll();

        assertThatThrownBy(first::join).hasCauseInstanceOf(StackOverflowError.class);
        assertNothingIsLeft();
    }

    @Test
    void oneWhoCancelsTakesNothingFromTheOthers() {
        CompletableFuture<String> first = flight.get("a", this::compute);
        CompletableFuture<String> second = flight.get("a", this::compute);
        first.cancel(false);
        CompletableFuture<String> third = flight.get("a", this::compute);
        third.complete("of its own");
        executor.runAll();

        assertThat(first).isCancelled();
        assertThat(second).isCompletedWithValue("a1");
        assertThat(third).isCompletedWithValue("of its own");
        assertNothingIsLeft();
    }

    @Test
    void whatNobodyWantsAnyMoreIsNotComputed() {
        CompletableFuture<String> first = flight.get("a", this::compute);
        CompletableFuture<String> second = flight.get("a", this::compute);
        first.cancel(false);
        second.cancel(false);
        assertThat(flight.underWay()).isZero();
        executor.runAll();
        assertThat(computations).hasValue(0);

        CompletableFuture<String> later = flight.get("a", this::compute);
        executor.runAll();

        assertThat(later).isCompletedWithValue("a1");
        assertNothingIsLeft();
    }

    @Test
    void whatHasBegunEndsAlthoughAllHaveLeft() {
        List<CompletableFuture<String>> asked = new ArrayList<>();
        asked.add(flight.get("a", key -> {
            asked.get(0).cancel(false);
            asked.add(flight.get("a", this::compute)); // one more who joins it: refused, for it asks for itself
            return "never";
        }));
        executor.runAll();

        assertThat(asked)
                .hasSize(1)
                .first()
                .satisfies(first -> assertThat(first).isCancelled());
        assertNothingIsLeft();
    }

    @Test
    void aNullResultIsSharedAndNeverKept() {
        ConcurrentMap<String, String> memory = new ConcurrentHashMap<>();
        SingleFlight<String, String> remembering = SingleFlight.remembering(executor, memory);
        CompletableFuture<String> first = remembering.get("a", SingleFlightTest::nothing);
        CompletableFuture<String> second = remembering.get("a", SingleFlightTest::nothing);
        executor.runAll();

        assertThat(first).isCompletedWithValue(null);
        assertThat(second).isCompletedWithValue(null);
        assertThat(memory).isEmpty();
    }

    @SuppressWarnings("NullAway") // what callers without null checks do
    private static String nothing(String key) {
        return null;
    }

    @Test
    void whatIsInMemoryIsNotComputed() {
        ConcurrentMap<String, String> memory = new ConcurrentHashMap<>();
        SingleFlight<String, String> remembering = SingleFlight.remembering(executor, memory);
        remembering.get("a", this::compute);
        executor.runAll();
        assertThat(memory).containsExactly(Map.entry("a", "a1"));

        assertThat(remembering.get("a", this::compute)).isCompletedWithValue("a1");
        memory.remove("a");
        CompletableFuture<String> anew = remembering.get("a", this::compute);
        executor.runAll();

        assertThat(anew).isCompletedWithValue("a2");
    }

    /** A memory that can't be read the second time it is asked. */
    private static final class Forgetful extends ConcurrentHashMap<String, String> {
        private static final long serialVersionUID = 1;

        private final AtomicInteger reads = new AtomicInteger();

        @Override
        public @Nullable String get(Object key) {
            if (reads.incrementAndGet() == 2) {
                throw new IllegalStateException("the memory fails");
            }
            return super.get(key);
        }
    }

    @Test
    void aMemoryThatFailsLeavesNoFlightBehind() {
        SingleFlight<String, String> remembering = SingleFlight.remembering(executor, new Forgetful());
        CompletableFuture<String> failed = remembering.get("a", this::compute);
        assertThatThrownBy(failed::join).hasMessageContaining("the memory fails");
        CompletableFuture<String> next = remembering.get("a", this::compute);
        executor.runAll();

        assertThat(next).isCompletedWithValue("a1");
    }

    @Test
    void anExecutorThatRefusesFailsTheFutureAndLeavesNothing() {
        SingleFlight<String, String> refused = SingleFlight.on(task -> {
            throw new RejectedExecutionException("full");
        });
        CompletableFuture<String> first = refused.get("a", this::compute);

        assertThatThrownBy(first::join).hasCauseInstanceOf(RejectedExecutionException.class);
        assertThat(refused.underWay()).isZero();
    }

    @Test
    void aComputationMayAskForOtherKeys() {
        SingleFlight<String, String> nested = SingleFlight.on(Runnable::run);
        CompletableFuture<String> answer = nested.get(
                "a",
                a -> a
                        + nested.get("b", b -> b + nested.get("c", c -> c).join())
                                .join());

        assertThat(answer).isCompletedWithValue("abc");
        assertThat(nested.underWay()).isZero();
    }

    @Test
    void aComputationThatAsksForItselfIsRefused() {
        CompletableFuture<String> answer =
                flight.get("a", key -> flight.get("a", this::compute).join());
        executor.runAll();

        assertThatThrownBy(answer::join)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the computation of a asks for a");
        assertNothingIsLeft();
    }

    @Test
    void aCircleIsRefusedInsteadOfWaitingForEver() throws Exception {
        ExecutorService pool = Executors.newCachedThreadPool();
        try {
            for (int round = 0; round < 500; round++) {
                SingleFlight<String, String> circular = SingleFlight.on(pool);
                CyclicBarrier begun = new CyclicBarrier(3);
                CompletableFuture<String> a = circular.get("a", key -> met(begun, circular, "b"));
                CompletableFuture<String> b = circular.get("b", key -> met(begun, circular, "c"));
                CompletableFuture<String> c = circular.get("c", key -> met(begun, circular, "a"));

                assertThatThrownBy(() -> CompletableFuture.allOf(a, b, c).get(30, TimeUnit.SECONDS))
                        .rootCause()
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("asks for");
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private String met(CyclicBarrier barrier, SingleFlight<String, String> circular, String next) {
        try {
            barrier.await(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        return circular.get(next, this::compute).join();
    }

    /** Having once asked for a key is no reason to refuse when that one has long got its answer. */
    @Test
    void whatHasLandedClosesNoCircle() throws Exception {
        ExecutorService pool = Executors.newCachedThreadPool();
        try {
            SingleFlight<String, String> wide = SingleFlight.on(pool);
            CountDownLatch bLanded = new CountDownLatch(1);
            CountDownLatch aAsked = new CountDownLatch(1);
            CompletableFuture<String> a = wide.get("a", key -> {
                reached(bLanded);
                try {
                    CompletableFuture<String> ofC = wide.get("c", this::compute);
                    aAsked.countDown();
                    return "a" + ofC.join();
                } finally {
                    aAsked.countDown();
                }
            });
            CompletableFuture<String> c = wide.get("c", key -> {
                CompletableFuture<String> ofB = wide.get("b", b -> {
                    CompletableFuture<String> unused = wide.get("a", this::compute); // without waiting for it
                    return b;
                });
                ofB.join();
                bLanded.countDown();
                reached(aAsked);
                return key;
            });

            assertThat(c.get(30, TimeUnit.SECONDS)).isEqualTo("c");
            assertThat(a.get(30, TimeUnit.SECONDS)).isEqualTo("ac");
        } finally {
            pool.shutdownNow();
        }
    }

    private static void reached(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Two thousand threads, who leave as they like: one computation at a time, and everyone who stays is told. */
    @Test
    void thousandsOfThreadsAskAtOnce() throws Exception {
        ExecutorService workers = Executors.newFixedThreadPool(4);
        try {
            SingleFlight<Integer, Integer> crowded = SingleFlight.on(workers);
            AtomicInteger inside = new AtomicInteger();
            AtomicInteger together = new AtomicInteger();
            AtomicInteger told = new AtomicInteger();
            AtomicInteger left = new AtomicInteger();
            CountDownLatch start = new CountDownLatch(1);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) {
                int number = i;
                Thread thread = new Thread(() -> {
                    reached(start);
                    for (int round = 0; round < 20; round++) {
                        CompletableFuture<Integer> answer = crowded.get(7, key -> {
                            together.addAndGet(inside.getAndIncrement());
                            Thread.yield();
                            inside.decrementAndGet();
                            return key;
                        });
                        if (number % 3 == 0 && answer.cancel(false)) {
                            left.incrementAndGet();
                        } else if (answer.join() == 7) {
                            told.incrementAndGet();
                        }
                    }
                });
                thread.start();
                threads.add(thread);
            }
            start.countDown();
            for (Thread thread : threads) {
                thread.join(60_000);
            }

            assertThat(told.get() + left.get()).isEqualTo(40_000);
            assertThat(left).as("left in time").hasPositiveValue();
            assertThat(together).as("computations of one key at once").hasValue(0);
        } finally {
            workers.shutdown();
            assertThat(workers.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        }
    }
}
