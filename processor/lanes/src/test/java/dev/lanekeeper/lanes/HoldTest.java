package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.testkit.Seed;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Holds: whoever has one owns the lane, whichever threads come and go, and who gives up leaves nothing behind. */
@ExtendWith(Seed.class)
@SuppressWarnings("FutureReturnValueIgnored") // of most tasks it matters what they did, not what they gave
class HoldTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final ExecutorService pool = Executors.newFixedThreadPool(4);
    private final Lanes<String> lanes = Lanes.<String>builder().executor(pool).build();

    @AfterEach
    void endThreads() {
        pool.shutdownNow();
    }

    private void assertNothingIsLeft() {
        Awaitility.await().until(() -> lanes.view().live() == 0);
        assertThat(lanes.view().blockers()).isEmpty();
    }

    @Test
    void aHoldKeepsTasksOutUntilAnotherThreadGivesItBack() throws Exception {
        Hold hold = lanes.hold("a");
        CompletableFuture<String> task = lanes.submit("a", () -> "after the hold");
        for (int i = 0; i < 100; i++) { // whatever might let the task in has had its chance
            Soon.result(lanes.submit("b", () -> true));
        }
        assertThat(task).isNotDone();

        pool.execute(hold::close);

        assertThat(Soon.result(task)).isEqualTo("after the hold");
        assertNothingIsLeft();
    }

    @Test
    void aHoldWaitsForTheTasksBeforeItAndSeesWhatTheyWrote() throws Exception {
        int[] plain = new int[1];
        for (int i = 0; i < 1_000; i++) {
            lanes.submit("a", () -> plain[0]++);
        }

        Hold hold = lanes.hold("a", LONG);
        int seen = plain[0];
        hold.close();

        assertThat(seen).isEqualTo(1_000);
    }

    @Test
    void aSecondReleaseIsReportedAndFreesNobody() throws Exception {
        Hold first = lanes.hold("a");
        CompletableFuture<Hold> second = lanes.acquire("a");
        CompletableFuture<Hold> third = lanes.acquire("a");
        first.close();
        Hold held = Soon.result(second);

        assertThatThrownBy(first::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the hold of a was given back before");
        assertThat(third).isNotDone();

        held.close();
        Soon.result(third).close();
        assertNothingIsLeft();
    }

    @Test
    void ofManyThreadsThatReleaseAtOnceOneSucceeds() throws Exception {
        for (int round = 0; round < 2_000; round++) {
            Hold hold = lanes.hold("a");
            CompletableFuture<Hold> next = lanes.acquire("a");
            AtomicInteger reported = new AtomicInteger();
            Runnable release = () -> {
                try {
                    hold.close();
                } catch (IllegalStateException e) {
                    reported.incrementAndGet();
                }
            };

            Soon.result(CompletableFuture.allOf(
                    CompletableFuture.runAsync(release, pool), CompletableFuture.runAsync(release, pool)));

            assertThat(reported).hasValue(1);
            Soon.result(next).close();
        }
        assertNothingIsLeft();
    }

    @Test
    void whoIsNotServedInTimeLeavesNothingAndTheSuccessorGetsItsTurn() throws Exception {
        Hold first = lanes.hold("a");

        assertThatThrownBy(() -> lanes.hold("a", Duration.ofMillis(1)))
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining("PT0.001S")
                .hasMessageContaining("Hold[a]");
        CompletableFuture<String> successor = lanes.submit("a", () -> "its turn");
        first.close();

        assertThat(Soon.result(successor)).isEqualTo("its turn");
        assertNothingIsLeft();
    }

    @Test
    void aTimeoutThatLastsForEverIsOne() throws Exception {
        lanes.hold("a", Duration.ofSeconds(Long.MAX_VALUE)).close();
        Hold first = lanes.hold("a");
        CompletableFuture<Hold> waits = CompletableFuture.supplyAsync(() -> holdForEver("a"), pool);
        Awaitility.await().until(() -> lanes.view().queued() == 1);
        first.close();
        Soon.result(waits).close();

        assertNothingIsLeft();
    }

    private Hold holdForEver(String key) {
        try {
            return lanes.hold(key, Duration.ofSeconds(Long.MAX_VALUE));
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void noTimeMeansOnlyIfItIsFree() throws Exception {
        Hold first = lanes.hold("a", Duration.ZERO);

        assertThatThrownBy(() -> lanes.hold("a", Duration.ZERO)).isInstanceOf(TimeoutException.class);
        assertThatThrownBy(() -> lanes.hold("a", Duration.ofSeconds(-1))).isInstanceOf(TimeoutException.class);
        first.close();

        assertNothingIsLeft();
    }

    @Test
    void whoIsInterruptedLeavesNothingAndTheSuccessorGetsItsTurn() throws Exception {
        Hold first = lanes.hold("a");
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        Thread waiter = new Thread(() -> {
            try {
                lanes.hold("a").close();
            } catch (InterruptedException e) {
                thrown.set(e);
            }
        });
        waiter.start();
        Awaitility.await().until(() -> lanes.view().queued() == 1);
        CompletableFuture<String> successor = lanes.submit("a", () -> "its turn");

        waiter.interrupt();
        Soon.ended(waiter);
        first.close();

        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        assertThat(Soon.result(successor)).isEqualTo("its turn");
        assertNothingIsLeft();
    }

    @Test
    void whoCancelsLeavesNothingAndTheSuccessorGetsItsTurn() throws Exception {
        Hold first = lanes.hold("a");
        CompletableFuture<Hold> cancelled = lanes.acquire("a");
        CompletableFuture<Hold> timed = lanes.acquire("a").orTimeout(1, TimeUnit.MILLISECONDS);
        CompletableFuture<String> successor = lanes.submit("a", () -> "its turn");

        assertThat(cancelled.cancel(false)).isTrue();
        assertThat(Soon.failure(timed)).isInstanceOf(TimeoutException.class);
        first.close();

        assertThat(Soon.result(successor)).isEqualTo("its turn");
        assertNothingIsLeft();
    }

    @Test
    void aHoldThatIsGrantedCannotBeCancelledAnyMore() throws Exception {
        CompletableFuture<Hold> granted = lanes.acquire("a");

        assertThat(granted.cancel(false)).isFalse();
        assertThat(lanes.acquire("a")).isNotDone();
        Soon.result(granted).close();
    }

    /** Either the one who cancels gets nothing and the lane goes on, or it has the hold: never both, never neither. */
    @Test
    void aGrantInTheInstantOfACancellationIsNotLost(RandomGenerator random) throws Exception {
        int granted = 0;
        for (int round = 0; round < 20_000; round++) {
            Hold first = lanes.hold("a");
            CompletableFuture<Hold> second = lanes.acquire("a");
            CompletableFuture<Void> releasing = CompletableFuture.runAsync(first::close, pool);
            spin(random.nextInt(400));
            if (!second.cancel(false)) {
                granted++;
                second.join().close();
            }
            Soon.result(releasing);
            assertThat(Soon.result(lanes.submit("a", () -> "goes on"))).isEqualTo("goes on");
        }

        assertThat(granted).as("granted of 20,000, so that both were seen").isBetween(1, 19_999);
        assertNothingIsLeft();
    }

    /** The same for one that waits with its thread. */
    @Test
    void aGrantInTheInstantOfATimeoutIsNotLost(RandomGenerator random) throws Exception {
        int granted = 0;
        for (int round = 0; round < 20_000; round++) {
            Hold first = lanes.hold("a");
            CompletableFuture<Void> releasing = CompletableFuture.runAsync(first::close, pool);
            try {
                lanes.hold("a", Duration.ofNanos(random.nextInt(30_000))).close();
                granted++;
            } catch (TimeoutException e) {
                // the other way for it to end
            }
            Soon.result(releasing);
            assertThat(Soon.result(lanes.submit("a", () -> "goes on"))).isEqualTo("goes on");
        }

        assertThat(granted).as("granted of 20,000, so that both were seen").isBetween(1, 19_999);
        assertNothingIsLeft();
    }

    private static void spin(int times) {
        for (int i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aTaskThatWaitsForAHoldOfItsOwnLaneIsRefused() throws Exception {
        CompletableFuture<Hold> waiting = lanes.submit("a", () -> lanes.hold("a"));
        CompletableFuture<Hold> timed = lanes.submit("a", () -> lanes.hold("a", LONG));
        CompletableFuture<Hold> joined =
                lanes.submit("a", () -> lanes.acquire("a").join());

        assertThat(Soon.failure(waiting))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("lane a");
        assertThat(Soon.failure(timed)).isInstanceOf(IllegalStateException.class);
        assertThat(Soon.failure(joined)).isInstanceOf(IllegalStateException.class);
        assertThat(lanes.view().queued()).as("of those that were to wait").isZero();
    }

    @Test
    void aTaskMayHoldAnotherLane() throws Exception {
        CompletableFuture<String> task = lanes.submit("a", () -> {
            Hold hold = lanes.hold("b", LONG);
            hold.close();
            return "held b";
        });

        assertThat(Soon.result(task)).isEqualTo("held b");
    }

    @Test
    void theDependentOfAGrantMayGiveTheLaneBack() throws Exception {
        CountDownLatch all = new CountDownLatch(1_000);
        Hold first = lanes.hold("a");
        for (int i = 0; i < 1_000; i++) {
            lanes.acquire("a").thenAccept(hold -> {
                hold.close();
                all.countDown();
            });
        }
        first.close();

        Soon.reached(all);
        assertNothingIsLeft();
    }

    @Test
    void aLongLineOfThoseWhoGaveUpNeedsNoStack() throws Exception {
        Hold first = lanes.hold("a");
        for (int i = 0; i < 50_000; i++) {
            assertThatThrownBy(() -> lanes.hold("a", Duration.ZERO)).isInstanceOf(TimeoutException.class);
        }
        for (int i = 0; i < 50_000; i++) {
            lanes.acquire("a").cancel(false);
        }

        SmallStack.run(first::close);

        assertNothingIsLeft();
    }

    @Test
    void anExecutorThatRefusesDoesNotKeepAHoldFromBeingGranted() throws Exception {
        Lanes<String> refusing = Lanes.<String>builder()
                .executor(task -> {
                    throw new RejectedExecutionException("full");
                })
                .build();
        Hold first = refusing.hold("a");
        CompletableFuture<Hold> second = refusing.acquire("a");
        CompletableFuture<Hold> thread = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return refusing.hold("a");
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                },
                pool);
        Awaitility.await().until(() -> refusing.view().queued() == 2);

        first.close();

        assertThat(Soon.failure(second)).as("a promise needs a thread").isInstanceOf(RejectedExecutionException.class);
        Soon.result(thread).close();
        assertThat(refusing.view().live()).isZero();
    }

    @Test
    void closedLanesRefuseHoldsAndWaitForThoseThatAre() throws Exception {
        Hold hold = lanes.hold("a");
        assertThat(lanes.close(Duration.ofMillis(1))).isFalse();

        assertThatThrownBy(() -> lanes.hold("b")).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> lanes.acquire("a")).isInstanceOf(RejectedExecutionException.class);
        hold.close();

        Soon.closed(lanes);
    }
}
