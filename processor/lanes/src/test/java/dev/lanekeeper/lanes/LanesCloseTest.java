package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Closing: nothing new comes in, everything that is in comes to its end. */
@SuppressWarnings("FutureReturnValueIgnored") // of most tasks it matters what they did, not what they gave
class LanesCloseTest {
    private final ExecutorService pool = Executors.newFixedThreadPool(3);
    private final Lanes<Integer> lanes =
            Lanes.<Integer>builder().executor(pool).name("orders").build();

    @AfterEach
    void endThreads() {
        pool.shutdownNow();
    }

    private CompletableFuture<Boolean> blocked(int key, CountDownLatch gate) {
        return lanes.submit(key, () -> {
            Soon.reached(gate);
            return true;
        });
    }

    @Test
    void closedLanesRefuseTasksAndKeepNoLane() {
        lanes.close();

        assertThatThrownBy(() -> lanes.submit(1, () -> true))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessage("lanes \"orders\" are closed");
        assertThatThrownBy(() -> lanes.submitAsync(1, CompletableFuture::new))
                .isInstanceOf(RejectedExecutionException.class);
        assertThat(lanes.view().live()).isZero();
    }

    @Test
    void closeWaitsForWhatRunsAndForWhatIsQueued() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        CompletableFuture<Boolean> open = new CompletableFuture<>();
        AtomicInteger ran = new AtomicInteger();
        blocked(1, gate);
        lanes.submitAsync(2, () -> open);
        for (int i = 0; i < 1_000; i++) {
            lanes.submit(1 + i % 2, ran::incrementAndGet);
        }

        assertThat(lanes.close(Duration.ZERO)).isFalse();
        gate.countDown();
        assertThat(lanes.close(Duration.ofMillis(1))).as("a stage is open").isFalse();
        open.complete(true);
        Soon.closed(lanes);

        assertThat(ran).hasValue(1_000);
        assertThat(lanes.view().live()).isZero();
    }

    @Test
    void closeThatTimedOutHasRefusedAlreadyAndMayBeCalledAgain() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        CompletableFuture<Boolean> running = blocked(1, gate);

        assertThat(lanes.close(Duration.ofMillis(1))).isFalse();
        assertThatThrownBy(() -> lanes.submit(1, () -> true)).isInstanceOf(RejectedExecutionException.class);
        gate.countDown();

        assertThat(lanes.close(Duration.ofSeconds(30))).isTrue();
        assertThat(lanes.close(Duration.ZERO)).as("closed already").isTrue();
        lanes.close();
        assertThat(Soon.result(running)).isTrue();
    }

    @Test
    void closeInsideATaskIsRefusedAndChangesNothing() throws Exception {
        CompletableFuture<Boolean> closing = lanes.submit(7, () -> {
            lanes.close();
            return true;
        });

        assertThat(Soon.failure(closing))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("lane 7");
        assertThat(Soon.result(lanes.submit(7, () -> "still open"))).isEqualTo("still open");
    }

    @Test
    void anInterruptDoesNotKeepCloseFromWaitingAndIsNotLost() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        blocked(1, gate);
        AtomicBoolean closed = new AtomicBoolean();
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread closing = new Thread(() -> {
            lanes.close();
            interrupted.set(Thread.interrupted());
            closed.set(true);
        });
        closing.start();

        closing.interrupt();
        Awaitility.await().until(() -> !closing.isInterrupted()); // it has taken note
        assertThat(closed).isFalse();
        gate.countDown();
        Soon.ended(closing);

        assertThat(closed).isTrue();
        assertThat(interrupted).isTrue();
    }

    /** The lanes of a few keys are born and buried all the time. {@link CloseExplorerTest} has the rare interleavings. */
    @Test
    void everyTaskAcceptedBeforeACloseHasRunWhenItReturnsAndEveryOtherIsRefused() throws Exception {
        int refusedInAll = 0;
        for (int round = 0; round < 300; round++) {
            Lanes<Integer> racing = Lanes.<Integer>builder().executor(pool).build();
            CyclicBarrier start = new CyclicBarrier(4);
            AtomicInteger ran = new AtomicInteger();
            List<Submitter> submitters = List.of(
                    new Submitter(racing, start, ran),
                    new Submitter(racing, start, ran),
                    new Submitter(racing, start, ran));
            submitters.forEach(Thread::start);
            Soon.met(start);
            Soon.closed(racing);
            int ranAtClose = ran.get();
            int accepted = 0;
            for (Submitter submitter : submitters) {
                Soon.ended(submitter);
                accepted += submitter.accepted;
                refusedInAll += submitter.refused;
            }

            assertThat(ranAtClose).as("round %d", round).isEqualTo(accepted);
            assertThat(ran.get()).isEqualTo(ranAtClose);
            assertThat(racing.view().live()).isZero();
        }
        assertThat(refusedInAll).as("submitted while it was closing").isPositive();
    }

    private static final class Submitter extends Thread {
        private final Lanes<Integer> lanes;
        private final CyclicBarrier start;
        private final AtomicInteger ran;
        private int accepted;
        private int refused;

        Submitter(Lanes<Integer> lanes, CyclicBarrier start, AtomicInteger ran) {
            this.lanes = lanes;
            this.start = start;
            this.ran = ran;
        }

        @Override
        public void run() {
            try {
                Soon.met(start);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            for (int i = 0; i < 300; i++) {
                try {
                    lanes.submit(i % 3, ran::incrementAndGet);
                    accepted++;
                } catch (RejectedExecutionException closed) {
                    refused++;
                }
            }
        }
    }

    @Test
    void closeEndsTheThreadsOfTheLanesOwn() throws Exception {
        Lanes<Integer> own = Lanes.<Integer>builder().name("own").build();
        Thread thread = Soon.result(own.submit(1, Thread::currentThread));
        assertThat(thread.getName()).startsWith("own-");
        assertThat(thread.isDaemon()).isTrue();

        Soon.closed(own);

        Soon.ended(thread);
    }

    @Test
    void closeLeavesTheCallersExecutorAlone() throws Exception {
        lanes.close();

        assertThat(Soon.result(pool.submit(() -> "open"))).isEqualTo("open");
    }
}
