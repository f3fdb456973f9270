package dev.lanekeeper.engine;

import static dev.lanekeeper.engine.EngineRig.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.engine.handler.RetryLaterException;
import dev.lanekeeper.engine.handler.RetryPolicy;
import dev.lanekeeper.engine.handler.TerminalException;
import java.io.IOException;
import java.io.Serial;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Whatever a handler does, its lane and its partition go on, and its record is handled or set aside (edge cases 17 to 25). */
@Timeout(60)
class HandlerFailureTest {
    private static final RetryPolicy NEVER = RetryPolicy.never();

    static final List<Throwable> THROWN = List.of(
            new IOException("checked"),
            new IllegalStateException("unchecked"),
            new AssertionError("an error"),
            new StackOverflowError("deep"),
            new NoClassDefFoundError("missing"),
            new InterruptedException("interrupted"),
            new CancellationException("cancelled"));

    @RegisterExtension
    final EngineRig rig = EngineRig.acknowledging();

    /** decaton#96, decaton#211, PC#25: checked ones and errors too. */
    @ParameterizedTest
    @FieldSource("THROWN")
    void whateverABlockingHandlerThrowsIsTriedAgainThenDeadLettered(Throwable thrown) {
        LaneKeeper<String, String> keeper = rig.startBlocking();
        rig.send("a=bad", "a=next");
        for (int attempt = 0; attempt < 3; attempt++) {
            rig.puppet.run("bad", attempt).fail(thrown);
        }
        rig.puppet.run("next").finish();
        rig.awaitCommitted(2);
        assertThat(rig.sent("dead")).containsExactly("bad");
        assertThat(rig.deadLetter(0))
                .containsEntry("lanekeeper.error.class", thrown.getClass().getName())
                .containsEntry("lanekeeper.error.message", thrown.getMessage())
                .containsEntry("lanekeeper.error.stage", "handler")
                .containsEntry("lanekeeper.attempts", "3");
        assertThat(rig.puppet.values()).containsExactly("bad", "bad", "bad", "next");
        assertThat(keeper.view().failedAttempts()).isEqualTo(3);
    }

    @ParameterizedTest
    @FieldSource("THROWN")
    void whateverAStageFailsWithIsTriedAgainThenDeadLettered(Throwable thrown) {
        rig.startAsync();
        rig.send("a=bad", "a=next");
        rig.puppet.run("bad", 0).fail(thrown);
        rig.puppet.run("bad", 1).fail(new CompletionException(thrown));
        rig.puppet.run("bad", 2).fail(new CompletionException(thrown));
        rig.puppet.run("next").finish();
        rig.awaitCommitted(2);
        assertThat(rig.deadLetter(0))
                .containsEntry("lanekeeper.error.class", thrown.getClass().getName());
    }

    @Test
    void anAsyncHandlerThatThrowsInsteadOfReturningHasFailed() {
        rig.start(settings -> settings.retry(NEVER).asyncHandler(delivery -> {
            throw new IOException("no connection");
        }));
        rig.send("a=0");
        rig.awaitCommitted(1);
        assertThat(rig.deadLetter(0)).containsEntry("lanekeeper.error.message", "no connection");
    }

    @Test
    @SuppressWarnings("NullAway") // what handlers do all the same
    void aNullStageHasFailedAndTheLetterSaysSo() {
        rig.start(settings -> settings.retry(NEVER).asyncHandler(delivery -> null));
        rig.send("a=0");
        rig.awaitCommitted(1);
        assertThat(rig.deadLetter(0)).containsEntry("lanekeeper.error.message", "the handler returned a null stage");
    }

    /** Edge case 20. */
    @Test
    void aStageThatCompletesTwiceCountsOnce() {
        LaneKeeper<String, String> keeper = rig.start(settings -> settings.asyncHandler(delivery -> new Twice()));
        rig.send("a=0", "a=1");
        rig.awaitCommitted(2);
        assertThat(keeper.view().late()).isEqualTo(2);
        assertThat(keeper.view().completed()).isEqualTo(2);
        assertThat(rig.sent("dead")).isEmpty();
    }

    /** Edge case 21: the completion won; what is thrown afterwards changes nothing. */
    @Test
    void aHandlerThatCompletesThenThrowsHasSucceeded() {
        LaneKeeper<String, String> keeper =
                rig.start(settings -> settings.retry(NEVER).asyncHandler(delivery -> new CompletesThenThrows()));
        rig.send("a=0", "a=1");
        rig.awaitCommitted(2);
        assertThat(rig.sent("dead")).isEmpty();
        assertThat(keeper.view().late()).isEqualTo(2);
    }

    /** decaton#96: a completion of an attempt that is over can't settle the attempt that runs. */
    @Test
    void aLateCompletionOfAnEarlierAttemptDoesNotEndALaterOne() {
        Twice.Late first = new Twice.Late();
        rig.start(settings -> settings.asyncHandler(delivery -> "0".equals(delivery.value()) && delivery.attempt() == 1
                ? first
                : rig.puppet.async().handle(delivery)));
        rig.send("a=0", "a=1");
        await().until(first::asked);
        first.tell(new IOException("the first answer"));
        Puppet.Run second = rig.puppet.run("0");
        first.tell(null);
        rig.awaitPasses(3);
        assertThat(rig.consumer.committedOffset(EngineRig.P0)).isNotPositive();
        assertThat(rig.puppet.values()).containsExactly("0");
        second.finish();
        rig.puppet.run("1");
    }

    /** Peer fault 15 of the others: a failed record keeps its successors back. Others flow, and no permit is held. */
    @Test
    void aRetryKeepsItsSuccessorsBackAndHoldsNoPermit() {
        rig.start(settings -> settings.concurrency(1)
                .retry(new RetryPolicy(2, Duration.ofHours(1), Duration.ofHours(1), 0))
                .asyncHandler(rig.puppet.async()));
        rig.send("a=bad", "a=next", "b=other", "c=another");
        rig.puppet.run("bad").fail(new IOException("planned"));
        rig.puppet.run("other").finish();
        rig.puppet.run("another").finish();
        rig.awaitPasses(3);
        assertThat(rig.puppet.values()).doesNotContain("next");
        assertThat(rig.consumer.committedOffset(EngineRig.P0)).isNotPositive();
    }

    @Test
    void aRetryOfABlockingHandlerHoldsNoThread() {
        rig.start(settings -> settings.concurrency(1)
                .retry(new RetryPolicy(2, Duration.ofHours(1), Duration.ofHours(1), 0))
                .handler(rig.puppet.blocking()));
        rig.send("a=bad", "a=next", "b=other");
        rig.puppet.run("bad").fail(new IOException("planned"));
        rig.puppet.run("other").finish();
        rig.awaitPasses(3);
        assertThat(rig.puppet.values()).containsExactly("bad", "other");
    }

    @Test
    void attemptsAreNumberedAndBeganAtOneMoment() {
        rig.startAsync();
        rig.send("a=0");
        for (int i = 0; i < 2; i++) {
            rig.puppet.run("0", i).fail(new IOException("planned"));
        }
        rig.puppet.run("0", 2).finish();
        rig.awaitCommitted(1);
        assertThat(rig.puppet.started())
                .extracting(run -> run.delivery().attempt())
                .containsExactly(1, 2, 3);
        assertThat(rig.puppet.started())
                .extracting(run -> run.delivery().startedAt())
                .containsOnly(rig.puppet.run("0").delivery().startedAt());
        assertThat(rig.sent("dead")).isEmpty();
    }

    @Test
    void aTerminalFailureIsDeadLetteredAtOnce() {
        rig.startBlocking();
        rig.send("a=0");
        rig.puppet.run("0").fail(new TerminalException("account 7 is closed"));
        rig.awaitCommitted(1);
        assertThat(rig.deadLetter(0))
                .containsEntry("lanekeeper.attempts", "1")
                .containsEntry("lanekeeper.error.message", "account 7 is closed");
    }

    @Test
    void aHandlerMaySayHowLongToWait() {
        rig.start(settings -> settings.retry(new RetryPolicy(2, Duration.ofHours(1), Duration.ofHours(2), 0))
                .asyncHandler(rig.puppet.async()));
        rig.send("a=0");
        rig.puppet.run("0", 0).fail(new RetryLaterException(Duration.ofMillis(1), "busy", null));
        rig.puppet.run("0", 1).finish();
        rig.awaitCommitted(1);
    }

    /** PC f#267: a delay provider, here a subclass of the user's, that throws must not leave the lane held for ever. */
    @Test
    void aDelayThatThrowsDeadLettersTheRecord() {
        rig.startAsync();
        rig.send("a=0", "a=1");
        rig.puppet.run("0").fail(new NeverSays());
        rig.puppet.run("1").finish();
        rig.awaitCommitted(2);
        assertThat(rig.deadLetter(0)).containsEntry("lanekeeper.error.class", NeverSays.class.getName());
    }

    @Test
    void randomnessThatThrowsDeadLettersTheRecord() {
        rig.start(settings -> settings.asyncHandler(rig.puppet.async()).random(new Random() {
            @Serial
            private static final long serialVersionUID = 1;

            @Override
            public double nextDouble() {
                throw new IllegalStateException("no entropy");
            }
        }));
        rig.send("a=0", "a=1");
        rig.puppet.run("0").fail(new IOException("planned"));
        rig.puppet.run("1").finish();
        rig.awaitCommitted(2);
        assertThat(rig.deadLetter(0)).containsEntry("lanekeeper.error.message", "planned");
    }

    /** Edge case 17: nothing is certain after it, so nothing more is committed. */
    @Test
    void noMemoryEndsTheEngineWithoutACommit() {
        LaneKeeper<String, String> keeper = rig.startBlocking();
        rig.send("a=0", "a=1");
        OutOfMemoryError noMemory = new OutOfMemoryError("planned");
        rig.puppet.run("0").fail(noMemory);
        assertThatThrownBy(() -> keeper.terminated().get(20, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCause(noMemory);
        assertThat(keeper.view().state()).isEqualTo(EngineState.FAILED);
        assertThat(rig.consumer.committedOffset(EngineRig.P0)).isNotPositive();
        assertThat(rig.puppet.values()).containsExactly("0");
    }

    /** Runs what it is asked to do at once, two times. */
    private static final class Twice extends CompletableFuture<Void> {
        @Override
        public CompletableFuture<Void> whenComplete(BiConsumer<? super Void, ? super Throwable> action) {
            CompletableFuture<Void> done = completedFuture(null);
            for (int i = 0; i < 2; i++) {
                CompletionStage<Void> told = done.whenComplete(action);
                assertThat(told).isCompleted();
            }
            return done;
        }

        /** Runs it as often as a test likes. */
        private static final class Late extends CompletableFuture<Void> {
            private final AtomicInteger asked = new AtomicInteger();
            private volatile @Nullable BiConsumer<? super Void, ? super Throwable> action;

            @Override
            public CompletableFuture<Void> whenComplete(BiConsumer<? super Void, ? super Throwable> whatToDo) {
                action = whatToDo;
                asked.incrementAndGet();
                return this;
            }

            boolean asked() {
                return asked.get() == 1;
            }

            @SuppressWarnings("NullAway") // a stage completes with null for either
            void tell(@Nullable Throwable failure) {
                action.accept(null, failure);
            }
        }
    }

    private static final class CompletesThenThrows extends CompletableFuture<Void> {
        @Override
        public CompletableFuture<Void> whenComplete(BiConsumer<? super Void, ? super Throwable> action) {
            CompletionStage<Void> told =
                    CompletableFuture.<Void>completedFuture(null).whenComplete(action);
            throw new IllegalStateException("after " + told);
        }
    }

    private static final class NeverSays extends RetryLaterException {
        @Serial
        private static final long serialVersionUID = 1;

        NeverSays() {
            super(Duration.ZERO, "planned", null);
        }

        @Override
        public Duration delay() {
            throw new IllegalStateException("no idea");
        }
    }
}
