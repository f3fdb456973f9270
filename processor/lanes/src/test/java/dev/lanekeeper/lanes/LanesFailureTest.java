package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whatever a task does, its own future tells of it and its lane goes on. */
@SuppressWarnings("FutureReturnValueIgnored") // of most tasks it matters what they did, not what they gave
class LanesFailureTest {
    private final ExecutorService pool = Executors.newFixedThreadPool(2);
    private final Lanes<String> lanes = Lanes.<String>builder().executor(pool).build();

    @AfterEach
    void nothingIsLeft() {
        Awaitility.await().until(() -> lanes.view().live() == 0);
        pool.shutdownNow();
    }

    private void assertFailsAndLaneGoesOn(Callable<?> task, Throwable expected) throws Exception {
        CompletableFuture<?> failed = lanes.submit("a", task);
        CompletableFuture<String> next = lanes.submit("a", () -> "next");

        assertThat(Soon.failure(failed)).isSameAs(expected);
        assertThat(Soon.result(next)).isEqualTo("next");
    }

    private Throwable failureOfAsync(Supplier<? extends CompletionStage<?>> task) throws Exception {
        CompletableFuture<?> failed = lanes.submitAsync("a", () -> task.get());
        CompletableFuture<String> next = lanes.submit("a", () -> "next");

        Throwable failure = Soon.failure(failed);
        assertThat(Soon.result(next)).isEqualTo("next");
        return failure;
    }

    @Test
    void aTaskThatThrowsFailsItsFutureWithJustThat() throws Exception {
        Exception checked = new Exception("checked");
        assertFailsAndLaneGoesOn(
                () -> {
                    throw checked;
                },
                checked);
    }

    @Test
    void aTaskThatThrowsAnErrorFailsItsFuture() throws Exception {
        Error error = new AssertionError("an error");
        assertFailsAndLaneGoesOn(
                () -> {
                    throw error;
                },
                error);
    }

    @Test
    void aTaskThatOverflowsTheStackFailsItsFuture() throws Exception {
        CompletableFuture<Integer> failed = lanes.submit("a", () -> deeper(0));
        CompletableFuture<String> next = lanes.submit("a", () -> "next");

        assertThat(Soon.failure(failed)).isInstanceOf(StackOverflowError.class);
        assertThat(Soon.result(next)).isEqualTo("next");
    }

    @SuppressWarnings("InfiniteRecursion") // that is the point
    private static int deeper(int depth) {
        return 1 + deeper(depth + 1);
    }

    @Test
    void aTaskMayReturnNull() throws Exception {
        assertThat(Soon.result(lanes.submit("a", Executors.callable(() -> {})))).isNull();
    }

    @Test
    @SuppressWarnings("NullAway") // the mistake that is tested
    void aNullStageFailsTheFuture() throws Exception {
        assertThat(failureOfAsync(() -> null))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("null stage");
    }

    @Test
    void aThrowingSupplierFailsTheFuture() throws Exception {
        Error error = new AssertionError("no stage");

        assertThat(failureOfAsync(() -> {
                    throw error;
                }))
                .isSameAs(error);
    }

    @Test
    void aFailedStageFailsTheFutureWithItsCause() throws Exception {
        Exception cause = new Exception("cause");

        assertThat(failureOfAsync(() -> CompletableFuture.failedFuture(cause))).isSameAs(cause);
        assertThat(failureOfAsync(() -> CompletableFuture.runAsync(
                        () -> {
                            throw new CompletionException(cause);
                        },
                        pool)))
                .isSameAs(cause);
    }

    @Test
    void aCancelledStageFailsTheFuture() throws Exception {
        CompletableFuture<String> stage = new CompletableFuture<>();
        CompletableFuture<String> failed = lanes.submitAsync("a", () -> stage);
        stage.cancel(false);

        assertThatThrownBy(() -> Soon.result(failed)).isInstanceOf(CancellationException.class);
    }

    @Test
    void aFutureThatIsCancelledBeforeItsTurnSkipsTheTask() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        AtomicBoolean ran = new AtomicBoolean();
        lanes.submit("a", () -> {
            Soon.reached(gate);
            return true;
        });
        CompletableFuture<Boolean> cancelled = lanes.submit("a", () -> ran.getAndSet(true));
        CompletableFuture<String> next = lanes.submit("a", () -> "next");

        assertThat(cancelled.cancel(true)).isTrue();
        gate.countDown();

        assertThat(Soon.result(next)).isEqualTo("next");
        assertThat(ran).isFalse();
    }

    @Test
    void aFutureThatIsCancelledInItsTurnStillHoldsTheLaneUntilTheTaskEnds() throws Exception {
        CompletableFuture<String> stage = new CompletableFuture<>();
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<String> cancelled = lanes.submitAsync("a", () -> {
            begun.countDown();
            return stage;
        });
        CompletableFuture<Boolean> endedBefore = lanes.submit("a", stage::isDone);
        Soon.reached(begun);

        cancelled.cancel(true);
        Soon.result(lanes.submit("b", () -> true));
        assertThat(endedBefore).isNotDone();
        stage.complete("late");

        assertThat(Soon.result(endedBefore)).isTrue();
    }

    @Test
    void aFutureThatTheCallerCompletesKeepsTheCallersValue() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        lanes.submit("a", () -> {
            Soon.reached(gate);
            return true;
        });
        CompletableFuture<String> future = lanes.submit("a", () -> "the task's");
        future.complete("the caller's");
        gate.countDown();

        Soon.result(lanes.submit("a", () -> true));
        assertThat(future).isCompletedWithValue("the caller's");
    }

    @Test
    @SuppressWarnings("NullAway") // the mistakes that are tested
    void nothingIsAdmittedWithoutAKeyOrATask() {
        assertThatThrownBy(() -> lanes.submit(null, () -> true)).hasMessage("key");
        assertThatThrownBy(() -> lanes.submit("a", null)).hasMessage("task");
        assertThatThrownBy(() -> lanes.submitAsync("a", null)).hasMessage("task");
        assertThatThrownBy(() -> lanes.enqueue("a", null)).isInstanceOf(NullPointerException.class);

        assertThat(lanes.view().live()).isZero();
    }

    @Test
    void aTicketIsAdmittedOnce() throws Exception {
        Ticket<String> ticket = new Ticket<>() {
            @Override
            protected void start() {
                settle();
            }
        };
        lanes.enqueue("a", ticket);

        assertThatThrownBy(() -> lanes.enqueue("b", ticket))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("enqueued before, in lane a");
        assertThat(Soon.result(lanes.submit("b", () -> "goes on"))).isEqualTo("goes on");
    }
}
