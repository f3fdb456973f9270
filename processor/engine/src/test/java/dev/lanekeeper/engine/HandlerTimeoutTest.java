package dev.lanekeeper.engine;

import static dev.lanekeeper.engine.EngineRig.P0;
import static dev.lanekeeper.engine.EngineRig.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.handler.HandlerTimeout;
import dev.lanekeeper.engine.handler.HandlerTimeoutException;
import dev.lanekeeper.engine.handler.RetryPolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Handlers that hang, and stages that never complete or too late (edge cases 19, 23 and 24; decaton#96). */
@Timeout(60)
class HandlerTimeoutTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Duration ALMOST = LIMIT.minusMillis(500);
    private static final Duration REST = Duration.ofMillis(500);

    @RegisterExtension
    final EngineRig rig = EngineRig.acknowledging();

    private final ManualTime time = new ManualTime();

    private LaneKeeper<String, String> start(
            HandlerTimeout timeout, UnaryOperator<LaneKeeperBuilder<String, String>> settings) {
        return rig.start(builder -> settings.apply(
                builder.environment(time).retry(RetryPolicy.never()).handlerTimeout(timeout)));
    }

    @Test
    void whatTakesTooLongIsToldOnceAndItsLaneHeld() {
        LaneKeeper<String, String> keeper =
                start(HandlerTimeout.hold(LIMIT), builder -> builder.asyncHandler(rig.puppet.async()));
        rig.send("a=slow", "a=next", "b=other");
        Puppet.Run slow = rig.puppet.run("slow");
        rig.puppet.run("other").finish();
        time.advance(ALMOST);
        assertThat(keeper.view().overdue()).isZero();
        assertThat(slow.delivery().cancelled()).isFalse();
        time.advance(REST);
        assertThat(keeper.view().overdue()).isEqualTo(1);
        assertThat(slow.delivery().cancelled()).isTrue();
        time.advance(LIMIT.multipliedBy(5));
        rig.awaitPasses(3);
        assertThat(keeper.view().overdue()).isEqualTo(1);
        assertThat(rig.puppet.values()).doesNotContain("next");
        assertThat(keeper.view().lanes().live()).isEqualTo(1);

        slow.finish(); // late, but it held its lane: it counts
        rig.puppet.run("next").finish();
        time.untilSoon(() -> rig.consumer.committedOffset(P0) == 3);
        assertThat(rig.sent("dead")).isEmpty();
    }

    /** Not from the receipt: quarkus#22561. */
    @Test
    void timeIsCountedFromTheCallOfTheHandler() {
        LaneKeeper<String, String> keeper =
                start(HandlerTimeout.hold(LIMIT), builder -> builder.asyncHandler(rig.puppet.async()));
        rig.send("a=first", "a=second");
        Puppet.Run first = rig.puppet.run("first");
        time.advance(ALMOST);
        first.finish();
        rig.puppet.run("second");
        time.advance(ALMOST);
        assertThat(keeper.view().overdue()).isZero();
        time.advance(REST);
        assertThat(keeper.view().overdue()).isEqualTo(1);
    }

    @Test
    void aFencedAttemptHasFailedAndItsLateEndCountsForNothing() {
        LaneKeeper<String, String> keeper =
                start(HandlerTimeout.fence(LIMIT), builder -> builder.asyncHandler(rig.puppet.async()));
        rig.send("a=never", "a=next");
        Puppet.Run never = rig.puppet.run("never");
        time.advance(LIMIT);
        rig.puppet.run("next").finish();
        assertThat(rig.deadLetter(0))
                .containsEntry("lanekeeper.error.stage", "timeout")
                .containsEntry("lanekeeper.error.class", HandlerTimeoutException.class.getName());
        time.untilSoon(() -> rig.consumer.committedOffset(P0) == 2);
        assertThat(keeper.view().late()).isZero();
        never.finish();
        assertThat(keeper.view().late()).isEqualTo(1);
        assertThat(keeper.view().completed()).isEqualTo(2);
    }

    @Test
    void aFencedAttemptIsTriedAgainAsThePolicySays() {
        start(
                HandlerTimeout.fence(LIMIT),
                builder -> builder.retry(EngineRig.AT_ONCE).asyncHandler(rig.puppet.async()));
        rig.send("a=slow");
        Puppet.Run first = rig.puppet.run("slow", 0);
        time.advance(LIMIT);
        time.untilSoon(() -> rig.puppet.started().size() == 2);
        first.fail(new IOException("late")); // can't settle the second
        rig.puppet.run("slow", 1).finish();
        time.untilSoon(() -> rig.consumer.committedOffset(P0) == 1);
        assertThat(rig.sent("dead")).isEmpty();
    }

    /** Nobody may run beside it, so the lane is held whatever the policy is. */
    @Test
    void aHandlerOnItsThreadIsNeverFenced() {
        LaneKeeper<String, String> keeper =
                start(HandlerTimeout.fence(LIMIT), builder -> builder.handler(rig.puppet.blocking()));
        rig.send("a=slow", "a=next");
        Puppet.Run slow = rig.puppet.run("slow");
        time.advance(LIMIT.multipliedBy(3));
        rig.awaitPasses(3);
        assertThat(keeper.view().overdue()).isEqualTo(1);
        assertThat(rig.puppet.values()).containsExactly("slow");
        slow.finish();
        rig.puppet.run("next").finish();
        time.untilSoon(() -> rig.consumer.committedOffset(P0) == 2);
        assertThat(rig.sent("dead")).isEmpty();
    }

    /** An asynchronous handler that blocks before it returns its stage: fenced when it has returned. */
    @Test
    void aHandlerThatReturnsItsStageTooLateIsFencedThen() throws InterruptedException {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        start(
                HandlerTimeout.fence(LIMIT),
                builder -> builder.asyncHandler(delivery -> {
                    if ("slow".equals(delivery.value())) {
                        inside.countDown();
                        goOn.await();
                    }
                    return rig.puppet.async().handle(delivery);
                }));
        rig.send("a=slow", "a=next");
        inside.await();
        time.advance(LIMIT);
        rig.awaitPasses(2);
        assertThat(rig.sent("dead")).isEmpty();
        goOn.countDown();
        assertThat(rig.deadLetter(0)).containsEntry("lanekeeper.error.stage", "timeout");
        rig.puppet.run("next");
    }

    /** Edge case 60: the interrupt reaches the handler, and nobody after it on that thread. */
    @Test
    void anInterruptIsForTheHandlerOnly() {
        AtomicBoolean leaked = new AtomicBoolean();
        start(
                HandlerTimeout.hold(LIMIT).interrupting(),
                builder -> builder.concurrency(1).handler(delivery -> {
                    leaked.compareAndSet(false, Thread.currentThread().isInterrupted());
                    rig.puppet.blocking().handle(delivery);
                }));
        rig.send("a=hangs", "a=next", "b=other");
        rig.puppet.run("hangs");
        time.advance(LIMIT);
        assertThat(rig.deadLetter(0))
                .containsEntry("lanekeeper.error.stage", "timeout")
                .containsEntry("lanekeeper.error.class", InterruptedException.class.getName());
        rig.puppet.run("other").finish(); // on the same thread
        rig.puppet.run("next").finish();
        time.untilSoon(() -> rig.consumer.committedOffset(P0) == 3);
        assertThat(leaked).isFalse();
    }

    @Test
    void aHandlerIsToldOnAnotherThreadAndWhatItThrowsThereHarmsNobody() {
        AtomicInteger told = new AtomicInteger();
        start(HandlerTimeout.hold(LIMIT), builder -> builder.asyncHandler(rig.puppet.async()));
        rig.send("a=slow", "b=quick");
        Puppet.Run slow = rig.puppet.run("slow");
        Puppet.Run quick = rig.puppet.run("quick");
        quick.delivery().onCancel(told::incrementAndGet);
        quick.finish();
        slow.delivery().onCancel(() -> {
            throw new StackOverflowError("planned");
        });
        slow.delivery().onCancel(() -> slow.fail(new IOException("gave up")));
        time.advance(LIMIT);
        assertThat(rig.deadLetter(0))
                .containsEntry("lanekeeper.error.stage", "timeout")
                .containsEntry("lanekeeper.error.message", "gave up");
        slow.delivery().onCancel(told::incrementAndGet); // it has ended
        time.untilSoon(() -> rig.consumer.committedOffset(P0) == 2);
        assertThat(told).hasValue(0);
    }

    @Test
    void whoAsksTooLateIsToldAtOnce() {
        CountDownLatch told = new CountDownLatch(1);
        start(HandlerTimeout.hold(LIMIT), builder -> builder.asyncHandler(rig.puppet.async()));
        rig.send("a=slow");
        Puppet.Run slow = rig.puppet.run("slow");
        time.advance(LIMIT);
        slow.delivery().onCancel(told::countDown);
        await().until(() -> told.getCount() == 0);
    }

    @Test
    void whoseResultIsNotWantedIsCancelledToo() {
        rig.startAsync();
        rig.send("a=0");
        Puppet.Run run = rig.puppet.run("0");
        assertThat(run.delivery().cancelled()).isFalse();
        rig.consumer.lose(P0);
        await().until(run.delivery()::cancelled);
    }
}
