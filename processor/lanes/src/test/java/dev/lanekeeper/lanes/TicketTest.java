package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.testkit.SteppingExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What an engine that extends {@link Ticket} may rely on. */
class TicketTest {
    private final SteppingExecutor executor = new SteppingExecutor();
    private final Lanes<String> lanes =
            Lanes.<String>builder().executor(executor).build();
    private final List<String> log = new ArrayList<>();

    /** Tells the log what happens to it, and does in {@code start} what it was made with. */
    private class Logged extends Ticket<String> {
        private final String name;
        private final Runnable onStart;
        private int starts;

        Logged(String name) {
            this(name, () -> {});
        }

        Logged(String name, Runnable onStart) {
            this.name = name;
            this.onStart = onStart;
        }

        @Override
        protected void start() {
            log.add(name + " starts");
            starts++;
            onStart.run();
        }

        @Override
        protected void released() {
            log.add(name + " released, live " + lanes.view().live());
        }

        @Override
        protected void rejected(Throwable cause) {
            log.add(name + " rejected");
        }
    }

    /** Settles in its first start. */
    private final class Brief extends Logged {
        Brief(String name) {
            super(name);
        }

        @Override
        protected void start() {
            super.start();
            assertThat(settle()).isTrue();
        }
    }

    @Test
    void aTicketSettledWithinStartIsReleasedWhenStartReturns() {
        lanes.enqueue("a", new Logged("first") {
            @Override
            protected void start() {
                super.start();
                assertThat(settle()).isTrue();
                log.add("first still in start, live " + lanes.view().live());
            }
        });
        executor.runAll();

        assertThat(log).containsExactly("first starts", "first still in start, live 1", "first released, live 0");
    }

    @Test
    void aTicketSettledAfterStartHoldsTheLaneUntilThen() {
        Logged first = new Logged("first");
        lanes.enqueue("a", first);
        lanes.enqueue("a", new Brief("second"));
        executor.runAll();
        assertThat(log).containsExactly("first starts");

        assertThat(first.settle()).isTrue();
        assertThat(log).containsExactly("first starts", "first released, live 1");
        executor.runAll();

        assertThat(log)
                .containsExactly("first starts", "first released, live 1", "second starts", "second released, live 0");
    }

    @Test
    void onlyTheFirstSettleCounts() {
        Logged ticket = new Logged("first");
        lanes.enqueue("a", ticket);
        assertThat(ticket.settle()).as("before its turn").isFalse();
        executor.runAll();

        assertThat(ticket.settle()).isTrue();
        assertThat(ticket.settle()).isFalse();
        assertThat(ticket.rearm()).isFalse();
        executor.runAll();

        assertThat(log).containsExactly("first starts", "first released, live 0");
    }

    @Test
    void aTicketRearmedWithinStartStartsAgainOnTheExecutorWithTheLaneHeld() {
        lanes.enqueue("a", new Logged("first") {
            @Override
            protected void start() {
                super.start();
                assertThat(super.starts == 1 ? rearm() : settle()).isTrue();
                assertThat(settle()).as("a second end").isFalse();
            }
        });
        lanes.enqueue("a", new Brief("second"));

        executor.runAll();

        assertThat(log)
                .containsExactly(
                        "first starts",
                        "first starts",
                        "first released, live 1",
                        "second starts",
                        "second released, live 0");
    }

    @Test
    void aTicketRearmedAfterStartStartsAgainOnTheExecutorWithTheLaneHeld() {
        Logged ticket = new Logged("first");
        lanes.enqueue("a", ticket);
        lanes.enqueue("a", new Brief("second"));
        executor.runAll();

        assertThat(ticket.rearm()).isTrue();
        assertThat(ticket.settle()).as("between its starts").isFalse();
        assertThat(ticket.rearm()).as("between its starts").isFalse();
        executor.runAll();
        assertThat(ticket.settle()).isTrue();
        executor.runAll();

        assertThat(log)
                .containsExactly(
                        "first starts",
                        "first starts",
                        "first released, live 1",
                        "second starts",
                        "second released, live 0");
    }

    /** What reaches this thread's handler of uncaught exceptions while {@code work} runs on it. */
    private static Throwable uncaughtIn(Runnable work) {
        Thread thread = Thread.currentThread();
        AtomicReference<Throwable> uncaught = new AtomicReference<>();
        thread.setUncaughtExceptionHandler((where, what) -> uncaught.set(what));
        try {
            work.run();
        } finally {
            thread.setUncaughtExceptionHandler(null);
        }
        return Objects.requireNonNull(uncaught.get(), "nothing was thrown");
    }

    @Test
    void aStartThatThrowsSettlesTheTicketAndIsReported() {
        IllegalStateException failure = new IllegalStateException("in start");
        lanes.enqueue("a", new Logged("first", () -> {
            throw failure;
        }));
        lanes.enqueue("a", new Brief("second"));

        assertThat(uncaughtIn(executor::runAll)).isSameAs(failure);

        assertThat(log)
                .containsExactly("first starts", "first released, live 1", "second starts", "second released, live 0");
    }

    @Test
    void aStartThatThrowsAfterSettlingReleasesOnce() {
        Logged ticket = new Logged("first") {
            @Override
            protected void start() {
                super.start();
                settle();
                throw new IllegalStateException("after settling");
            }
        };
        lanes.enqueue("a", ticket);

        assertThat(uncaughtIn(executor::runAll)).hasMessage("after settling");
        assertThat(log).containsExactly("first starts", "first released, live 0");
    }

    @Test
    void aRefusedTicketIsToldAndReleasedAndNeverStarted() {
        Lanes<String> refusing = Lanes.<String>builder()
                .executor(task -> {
                    throw new IllegalStateException("no");
                })
                .build();
        Logged ticket = new Logged("first");
        refusing.enqueue("a", ticket);

        assertThat(log).containsExactly("first rejected", "first released, live 0");
        assertThat(refusing.view().live()).isZero();
        assertThat(ticket.settle()).isFalse();
    }

    @Test
    void aTicketThatTellsOthersHandsOnItsSuccessorFirst() {
        List<Integer> waiting = new ArrayList<>();
        lanes.enqueue("a", new Logged("first") {
            @Override
            protected void start() {
                settle();
            }

            @Override
            protected boolean tellsOthers() {
                return true;
            }

            @Override
            protected void released() {
                waiting.add(executor.queued());
            }
        });
        lanes.enqueue("a", new Brief("second"));
        executor.runNext();

        assertThat(waiting)
                .as("what the executor had to run when the first was released")
                .containsExactly(1);
    }

    @Test
    void whoHoldsTheLaneSeesWhatWaitsBehind() {
        Logged first = new Logged("first");
        Brief second = new Brief("second");
        Brief third = new Brief("third");
        assertThat(first.behind()).as("before it is in line").isNull();
        lanes.enqueue("a", first);
        executor.runAll();
        assertThat(first.behind()).as("alone").isNull();
        lanes.enqueue("a", second);
        lanes.enqueue("b", new Brief("other"));
        lanes.enqueue("a", third);

        assertThat(first.behind()).isSameAs(second);
        assertThat(second.behind()).isSameAs(third);
        assertThat(third.behind()).isNull();
        first.settle();
        assertThat(first.behind()).as("released").isNull();
        executor.runAll();
        assertThat(log).contains("second starts", "third starts");
    }

    @Test
    void nobodySeesBeyondWhatStandsInSeveralLanes() {
        Logged first = new Logged("first");
        Logged bulk = new Logged("bulk");
        lanes.enqueue("a", first);
        lanes.enqueueAll(List.of("a", "b"), bulk);
        lanes.enqueue("a", new Brief("behind the bulk"));
        executor.runAll();

        assertThat(first.behind()).isNull();
        first.settle();
        executor.runAll();
        assertThat(bulk.behind()).isNull();
    }

    /** The race that {@link TicketExplorerTest} explores, with real threads. */
    @Test
    void ofSettleAndRearmAtOnceOneIsAccepted() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        try {
            Lanes<Integer> racing = Lanes.<Integer>builder().executor(pool).build();
            CyclicBarrier together = new CyclicBarrier(2);
            int both = 0;
            for (int round = 0; round < 10_000; round++) {
                Raced ticket = new Raced();
                racing.enqueue(round, ticket);
                Soon.result(ticket.started);
                CompletableFuture<Boolean> rearmed =
                        CompletableFuture.supplyAsync(() -> meet(together) && ticket.rearm(), pool);
                boolean settled = meet(together) && ticket.settle();
                if (Soon.result(rearmed) && settled) {
                    both++; // only with the settle in the second start
                } else {
                    assertThat(settled || Soon.result(rearmed)).isTrue();
                }
                if (!settled) {
                    Soon.result(ticket.startedAgain);
                    assertThat(ticket.settle()).isTrue();
                }
                Soon.result(ticket.gone);
                assertThat(ticket.releases).hasValue(1);
            }
            assertThat(both).isLessThan(10_000);
            assertThat(racing.view().live()).isZero();
        } finally {
            pool.shutdownNow();
        }
    }

    private static boolean meet(CyclicBarrier barrier) {
        try {
            Soon.met(barrier);
            return true;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static final class Raced extends Ticket<Integer> {
        private final CompletableFuture<Boolean> started = new CompletableFuture<>();
        private final CompletableFuture<Boolean> startedAgain = new CompletableFuture<>();
        private final CompletableFuture<Boolean> gone = new CompletableFuture<>();
        private final AtomicInteger releases = new AtomicInteger();

        @Override
        protected void start() {
            if (!started.complete(true)) {
                startedAgain.complete(true);
            }
        }

        @Override
        protected void released() {
            releases.incrementAndGet();
            gone.complete(true);
        }
    }
}
