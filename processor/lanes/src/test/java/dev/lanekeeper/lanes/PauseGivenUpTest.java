package dev.lanekeeper.lanes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Pauses that nobody waits for any more, or that come too late; step by step, by a clock that stands until it is moved. */
@SuppressWarnings("FutureReturnValueIgnored") // of most tasks it matters what they did, not what they gave
class PauseGivenUpTest extends PauseScene {
    @Test
    void afterItsTimeoutAPauseNamesWhatRunsAndTheLanesGoOn() throws Exception {
        CompletableFuture<Void> end = running("slow");
        clock.advance(Duration.ofSeconds(30));
        CompletableFuture<Void> bulkEnd = new CompletableFuture<>();
        lanes.submitAllAsync(List.of("x", "y"), () -> bulkEnd);
        executor.runAll();
        CompletableFuture<Pause> pause = pause(PauseMode.RUNNING);
        task("b");
        executor.runAll();
        assertThat(ran).isEmpty();

        clock.advance(MINUTE);
        executor.runAll();

        assertThat(ran).containsExactly("b");
        PauseTimeoutException timeout = (PauseTimeoutException) Soon.failure(pause);
        assertThat(timeout)
                .hasMessage("not everything had ended after PT1M; still running: "
                        + "slow for 90000 ms, [x, y] for 60000 ms");
        assertThat(timeout.blockers())
                .extracting(Object.class::cast)
                .containsExactly(
                        new Blocker<>(List.of("slow"), Duration.ofSeconds(90), Optional.empty()),
                        new Blocker<>(List.of("x", "y"), MINUTE, Optional.empty()));
        end.complete(null);
        bulkEnd.complete(null);
        assertNothingIsLeft();
    }

    @Test
    void aTaskOnAThreadIsNamedWithItsThread() throws Exception {
        CompletableFuture<CompletableFuture<Pause>> asked = new CompletableFuture<>();
        lanes.submit("a", () -> {
            Thread other = new Thread(() -> asked.complete(pause(PauseMode.RUNNING)));
            other.start();
            Soon.ended(other);
            clock.advance(MINUTE);
            return true;
        });
        executor.runAll();

        assertThat(Soon.failure(Soon.result(asked)))
                .hasMessageContaining(
                        "a for 60000 ms on thread " + Thread.currentThread().getName());
    }

    @Test
    void aPauseThatFailsBehindAnotherSaysSo() throws Exception {
        CompletableFuture<Pause> first = pause(PauseMode.RUNNING);
        CompletableFuture<Pause> second = pause(PauseMode.RUNNING);
        clock.advance(MINUTE);

        assertThat(Soon.failure(second))
                .isInstanceOf(PauseTimeoutException.class)
                .hasMessage("not everything had ended after PT1M; no task runs; another pause may be on");
        Soon.result(first).close();
        assertNothingIsLeft();
    }

    @Test
    void aPauseThatIsCancelledReopensOrLeavesTheQueue() throws Exception {
        CompletableFuture<Void> end = running("slow");
        CompletableFuture<Pause> waiting = pause(PauseMode.RUNNING);
        CompletableFuture<Pause> queued = pause(PauseMode.RUNNING);
        CompletableFuture<Pause> fencing = pause(PauseMode.SUBMITTED);
        task("b");
        queued.cancel(false);
        executor.runAll();
        assertThat(ran).isEmpty();

        waiting.cancel(false);
        executor.runAll();
        assertThat(ran).containsExactly("b");
        fencing.cancel(false);
        end.complete(null);
        executor.runAll();

        CompletableFuture<Pause> last = pause(PauseMode.SUBMITTED);
        assertThat(last).isCompleted();
        Soon.result(last).close();
        assertNothingIsLeft();
    }

    /** As {@code orTimeout} does: nobody would ever end the pause otherwise. */
    @Test
    void aPauseWhoseFutureIsCompletedByTheCallerIsGivenUp() throws Exception {
        CompletableFuture<Void> end = running("slow");
        CompletableFuture<Pause> pause = pause(PauseMode.RUNNING);
        task("b");

        pause.completeExceptionally(new TimeoutException("of the caller's own"));
        executor.runAll();

        assertThat(ran).containsExactly("b");
        end.complete(null);
        assertNothingIsLeft();
    }

    @Test
    void closedLanesRefusePausesAndEndThoseThatWait() throws Exception {
        CompletableFuture<Void> end = running("a");
        CompletableFuture<Pause> pending = pause(PauseMode.SUBMITTED);
        assertThat(lanes.close(Duration.ZERO)).isFalse();
        assertThatThrownBy(() -> pause(PauseMode.RUNNING)).isInstanceOf(RejectedExecutionException.class);

        end.complete(null);
        executor.runAll();

        Soon.closed(lanes);
        Soon.result(pending).close();
    }

    /** The timer of the lanes goes when nobody needs it any more, not before. */
    @Test
    void aPauseStillTimesOutAfterTheLanesAreClosed() throws Exception {
        Lanes<String> own = Lanes.<String>builder().build();
        CompletableFuture<Pause> first = own.pause(PauseMode.RUNNING, MINUTE);
        CompletableFuture<Pause> second = own.pause(PauseMode.RUNNING, Duration.ofMillis(500));
        Soon.closed(own);

        assertThat(Soon.failure(second)).isInstanceOf(PauseTimeoutException.class);
        Soon.result(first).close();
    }

    /** A timer that is faster than the one who sets it. */
    private static final class AtOnce extends ScheduledThreadPoolExecutor {
        AtOnce() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
            if (delay == 0) {
                command.run();
            }
            return super.schedule(() -> {}, 0, unit);
        }
    }

    @Test
    void aPauseWhoseTimeIsOverBeforeItHasBegunIsInNobodysWay() throws Exception {
        AtOnce timer = new AtOnce();
        try {
            Lanes<String> hasty =
                    Lanes.<String>builder().executor(executor).timer(timer).build();
            CompletableFuture<Pause> over = hasty.pause(PauseMode.RUNNING, Duration.ZERO);
            assertThat(over.isCompletedExceptionally()).isTrue();

            Future<Pause> next = hasty.pause(PauseMode.RUNNING, MINUTE);
            hasty.pause(PauseMode.SUBMITTED, Duration.ZERO);
            Soon.result(next).close();
            executor.runAll();
            Future<Pause> last = hasty.pause(PauseMode.RUNNING, MINUTE);

            assertThat(last.isDone()).isTrue();
            Soon.result(last).close();
        } finally {
            timer.shutdownNow();
        }
    }

    @Test
    void aPauseMayWaitForEver() throws Exception {
        Lanes<String> own = Lanes.<String>builder().executor(executor).build();

        Soon.result(own.pause(PauseMode.RUNNING, Duration.ofSeconds(Long.MAX_VALUE)))
                .close();
        assertThat(own.close(Duration.ofSeconds(Long.MAX_VALUE))).isTrue();
    }
}
