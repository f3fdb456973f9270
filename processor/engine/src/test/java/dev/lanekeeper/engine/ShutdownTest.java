package dev.lanekeeper.engine;

import static dev.lanekeeper.engine.EngineRig.P0;
import static dev.lanekeeper.engine.EngineRig.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.WakeupException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** How an engine ends, asked to (edge cases 33 to 35) or not. */
@Timeout(60)
class ShutdownTest {
    static final List<KafkaException> FATAL = List.of(
            new GroupAuthorizationException("group"),
            new SaslAuthenticationException("wrong password"),
            new NoOffsetForPartitionException(P0),
            new KafkaException("the record is corrupt"));

    @RegisterExtension
    final EngineRig rig = EngineRig.acknowledging();

    /** PC#552: what runs ends and is committed, what waits does not start, what comes is not taken. */
    @Test
    void closingLetsWhatRunsEndAndDropsTheRest() throws InterruptedException {
        LaneKeeper<String, String> keeper = rig.startBlocking();
        rig.send("a=0", "a=1");
        Puppet.Run run = rig.puppet.run("0");
        Thread closing = close(keeper, Duration.ofSeconds(20));
        await().until(() -> keeper.view().state() == EngineState.CLOSING);
        rig.awaitPasses(2);
        rig.send("b=2", "c=3");
        rig.awaitPasses(3);
        run.finish();
        closing.join();
        assertThat(rig.puppet.values()).containsExactly("0");
        assertThat(rig.consumer.committedOffset(P0)).isEqualTo(1);
        assertThat(rig.consumer.closed()).isTrue();
        assertThat(rig.producer().closed()).isTrue();
        assertThat(keeper.view().state()).isEqualTo(EngineState.CLOSED);
        assertThat(keeper.terminated()).isCompleted();
    }

    /** As at any other time: what is left is not waited for until the timeout, and nothing is committed any more. */
    @Test
    void anErrorDuringACloseEndsItWithoutACommit() throws InterruptedException {
        LaneKeeper<String, String> keeper = rig.start(
                settings -> settings.commitInterval(Duration.ofHours(1)).handler(rig.puppet.blocking()));
        rig.send("a=0", "b=1");
        Puppet.Run done = rig.puppet.run("0");
        Puppet.Run run = rig.puppet.run("1");
        Thread closing = close(keeper, Duration.ofSeconds(40));
        await().until(() -> keeper.view().state() == EngineState.CLOSING);
        rig.awaitPasses(2);
        done.finish();
        await().until(() -> keeper.view().completed() == 1);
        run.fail(new OutOfMemoryError("planned"));
        await().until(() -> keeper.view().state() == EngineState.FAILED);
        closing.join();
        assertThat(rig.consumer.committedOffset(P0)).isNotPositive();
        assertThat(rig.consumer.closed()).isTrue();
        assertThat(keeper.terminated()).isCompletedExceptionally();
    }

    /** PC#597: interrupted only when its time is over, and then at once. */
    @Test
    void aHangingHandlerIsInterruptedAtTheTimeoutAndNotCommitted() throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        LaneKeeper<String, String> keeper = rig.start(settings -> settings.handler(delivery -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                interrupted.set(true);
                throw e;
            }
        }));
        rig.send("a=0");
        await().until(() -> keeper.view().inFlight() == 1);
        long begin = System.nanoTime();
        keeper.close(Duration.ofMillis(50));
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isBetween(Duration.ofMillis(50), Duration.ofSeconds(4));
        await().untilTrue(interrupted);
        assertThat(keeper.view().state()).isEqualTo(EngineState.CLOSED);
        assertThat(rig.consumer.committedOffset(P0)).isNotPositive();
        assertThat(rig.sent("dead")).isEmpty();
    }

    /** PC#668: one that swallows interrupts must not keep the member in the group either. */
    @Test
    void aHandlerThatSwallowsInterruptsDoesNotKeepTheEngineOpen() {
        AtomicBoolean mayEnd = new AtomicBoolean();
        LaneKeeper<String, String> keeper = rig.start(settings -> settings.handler(delivery -> {
            while (!mayEnd.get()) {
                Thread.onSpinWait();
            }
        }));
        rig.send("a=0");
        await().until(() -> keeper.view().inFlight() == 1);
        keeper.close(Duration.ofMillis(20));
        assertThat(keeper.terminated()).isCompleted();
        assertThat(rig.consumer.closed()).isTrue();
        mayEnd.set(true);
    }

    @Test
    void closingAgainDoesNothingAndFromTwoThreadsBothWait() throws InterruptedException {
        LaneKeeper<String, String> keeper = rig.startBlocking();
        rig.send("a=0");
        Puppet.Run run = rig.puppet.run("0");
        Thread first = close(keeper, Duration.ofSeconds(20));
        Thread second = close(keeper, Duration.ofSeconds(20));
        await().until(() -> keeper.view().state() == EngineState.CLOSING);
        rig.awaitPasses(2);
        assertThat(first.isAlive()).isTrue();
        assertThat(second.isAlive()).isTrue();
        run.finish();
        first.join();
        second.join();
        keeper.close();
        assertThat(keeper.view().state()).isEqualTo(EngineState.CLOSED);
    }

    /** Edge case 35: never joins itself. */
    @Test
    void aHandlerMayCloseTheEngineItRunsOn() {
        List<LaneKeeper<String, String>> self = new ArrayList<>();
        CountDownLatch known = new CountDownLatch(1);
        self.add(rig.start(settings -> settings.handler(delivery -> {
            known.await();
            self.get(0).close();
        })));
        known.countDown();
        rig.send("a=0");
        await().until(() -> self.get(0).terminated().isDone());
        assertThat(self.get(0).view().state()).isEqualTo(EngineState.CLOSED);
        assertThat(rig.consumer.committedOffset(P0)).isEqualTo(1);
    }

    @Test
    void aStageOfTerminatedMayCloseToo() {
        LaneKeeper<String, String> keeper = rig.startBlocking();
        AtomicBoolean done = new AtomicBoolean();
        var unused = keeper.terminated().thenRun(() -> {
            keeper.close();
            done.set(true);
        });
        keeper.close();
        await().untilTrue(done);
    }

    @Test
    void closingBeforeTheStartClosesTheClients() {
        LaneKeeper<String, String> keeper =
                rig.builder().handler(rig.puppet.blocking()).build();
        assertThat(keeper.view().state()).isEqualTo(EngineState.NEW);
        keeper.close();
        assertThat(keeper.view().state()).isEqualTo(EngineState.CLOSED);
        assertThat(keeper.terminated()).isCompleted();
        assertThat(rig.consumer.closed()).isTrue();
        assertThat(rig.producer().closed()).isTrue();
        assertThatThrownBy(keeper::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("CLOSED");
    }

    /** PC "using it twice fails". */
    @Test
    void startingTwiceIsAnError() {
        LaneKeeper<String, String> keeper = rig.startBlocking();
        assertThatThrownBy(keeper::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("lanekeeper")
                .hasMessageContaining("RUNNING");
    }

    @Test
    void anInterruptedCallerStillWaitsAndStaysInterrupted() throws InterruptedException {
        LaneKeeper<String, String> keeper = rig.startBlocking();
        rig.send("a=0");
        Puppet.Run run = rig.puppet.run("0");
        AtomicBoolean flag = new AtomicBoolean();
        Thread closing = new Thread(() -> {
            keeper.close(Duration.ofSeconds(20));
            flag.set(Thread.currentThread().isInterrupted());
        });
        closing.start();
        closing.interrupt();
        await().until(() -> keeper.view().state() == EngineState.CLOSING);
        assertThat(closing.isAlive()).isTrue();
        run.finish();
        closing.join();
        assertThat(flag).isTrue();
    }

    @ParameterizedTest
    @FieldSource("FATAL")
    void anErrorThatTheConsumerCannotGoOnFromEndsTheEngineLoudly(KafkaException cause) {
        LaneKeeper<String, String> keeper = rig.startAsync();
        rig.send("a=0");
        rig.puppet.run("0").finish();
        rig.awaitCommitted(1);
        rig.consumer.inPoll(() -> {
            throw cause;
        });
        assertThatThrownBy(() -> keeper.terminated().get(20, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCause(cause);
        assertThat(keeper.view().state()).isEqualTo(EngineState.FAILED);
        assertThat(rig.consumer.closed()).isTrue();
        assertThat(rig.producer().closed()).isTrue();
        keeper.close(); // nothing left to do, and nothing thrown
        assertThat(keeper.view().state()).isEqualTo(EngineState.FAILED);
    }

    @Test
    void nothingIsCommittedAfterAFatalError() {
        LaneKeeper<String, String> keeper = rig.startAsync();
        rig.send("a=0");
        Puppet.Run run = rig.puppet.run("0");
        rig.consumer.together(() -> {
            rig.consumer.inPoll(run::finish);
            rig.consumer.inPoll(() -> {
                throw new KafkaException("planned");
            });
        });
        await().until(() -> keeper.terminated().isDone());
        assertThat(rig.consumer.committedOffset(P0)).isNotPositive();
        assertThat(rig.producer().history()).isEmpty();
    }

    /** Or its partitions' next owner would begin beside it. */
    @Test
    void afterAFatalErrorWhatRunsIsAwaitedBeforeTheGroupIsLeft() {
        LaneKeeper<String, String> keeper = rig.startAsync();
        rig.send("a=0", "a=1");
        Puppet.Run run = rig.puppet.run("0");
        rig.consumer.inPoll(() -> {
            throw new KafkaException("planned");
        });
        await().until(() -> run.delivery().cancelled()); // it is told at once
        await().during(Duration.ofMillis(200)).until(() -> !rig.consumer.closed());
        assertThat(keeper.terminated()).isNotDone();
        run.finish();
        await().until(() -> keeper.terminated().isDone());
        assertThat(rig.consumer.closed()).isTrue();
        assertThat(rig.consumer.committedOffset(P0)).isNotPositive();
        assertThat(rig.puppet.values()).containsExactly("0");
    }

    @Test
    void afterAFatalErrorAHangingHandlerIsInterruptedAtTheDrainTimeout() {
        CountDownLatch never = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        LaneKeeper<String, String> keeper = rig.start(settings -> settings.drainTimeout(Duration.ofMillis(50))
                .handler(delivery -> {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        interrupted.set(true);
                        throw e;
                    }
                }));
        rig.send("a=0");
        await().until(() -> keeper.view().inFlight() == 1);
        rig.consumer.inPoll(() -> {
            throw new KafkaException("planned");
        });
        await().until(() -> keeper.terminated().isDone());
        await().untilTrue(interrupted);
        assertThat(keeper.view().state()).isEqualTo(EngineState.FAILED);
        assertThat(rig.consumer.closed()).isTrue();
    }

    /** Somebody who wants to close it does not wait longer than that. */
    @Test
    void afterAFatalErrorACloseEndsTheWait() {
        LaneKeeper<String, String> keeper =
                rig.start(settings -> settings.drainTimeout(Duration.ofHours(1)).asyncHandler(rig.puppet.async()));
        rig.send("a=0");
        Puppet.Run run = rig.puppet.run("0");
        rig.consumer.inPoll(() -> {
            throw new KafkaException("planned");
        });
        await().until(() -> run.delivery().cancelled());
        keeper.close(Duration.ofMillis(50));
        assertThat(keeper.terminated()).isCompletedExceptionally();
        assertThat(rig.consumer.closed()).isTrue();
    }

    @Test
    void aWakeupIsNoError() {
        LaneKeeper<String, String> keeper = rig.startAsync();
        rig.consumer.inPoll(() -> {
            throw new WakeupException();
        });
        rig.send("a=0");
        rig.puppet.run("0").finish();
        rig.awaitCommitted(1);
        assertThat(keeper.view().state()).isEqualTo(EngineState.RUNNING);
    }

    /** However long a duration is, it is no error. */
    @Test
    void theLongestOfTimeoutsIsNoError() {
        LaneKeeper<String, String> keeper =
                rig.start(settings -> settings.drainTimeout(Duration.ofSeconds(Long.MAX_VALUE))
                        .commitInterval(Duration.ofSeconds(Long.MAX_VALUE))
                        .asyncHandler(rig.puppet.async()));
        rig.send("a=0");
        rig.puppet.run("0").finish();
        rig.consumer.revokeAndReturn(P0);
        await().until(() -> rig.consumer.committedOffset(P0) == 1);
        keeper.close(Duration.ofSeconds(Long.MAX_VALUE));
        assertThat(keeper.view().state()).isEqualTo(EngineState.CLOSED);
    }

    /** The wait of a revocation ends with the time of a close that is asked for meanwhile. */
    @Test
    void aRevocationDoesNotOutlastTheClose() {
        LaneKeeper<String, String> keeper =
                rig.start(settings -> settings.drainTimeout(Duration.ofHours(1)).asyncHandler(rig.puppet.async()));
        rig.send("a=0");
        rig.puppet.run("0");
        CountDownLatch begun = new CountDownLatch(1);
        rig.consumer.together(() -> {
            rig.consumer.inPoll(begun::countDown);
            rig.consumer.revoke(P0);
        });
        await().until(() -> begun.getCount() == 0);
        keeper.close(Duration.ofMillis(50));
        assertThat(keeper.terminated()).isCompleted();
        assertThat(rig.consumer.committedOffset(P0)).isNotPositive();
        assertThat(keeper.view().abandoned()).isEqualTo(1);
    }

    /** Foreign code on the poll thread that does not return keeps the engine, but not the one who closes it. */
    @Test
    void aLaneKeyThatHangsDoesNotKeepTheCallerOfClose() {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch hangs = new CountDownLatch(1);
        LaneKeeper<String, String> keeper = rig.start(settings -> settings.laneKey(record -> {
                    hangs.countDown();
                    await().until(() -> never.getCount() == 0);
                    return record.key();
                })
                .handler(rig.puppet.blocking()));
        rig.send("a=0");
        await().until(() -> hangs.getCount() == 0);
        keeper.close(Duration.ofMillis(10));
        assertThat(keeper.terminated()).isNotDone();
        assertThat(keeper.view().state()).isEqualTo(EngineState.CLOSING);
        never.countDown();
        await().until(() -> keeper.terminated().isDone());
    }

    private static Thread close(LaneKeeper<?, ?> keeper, Duration timeout) {
        Thread closing = new Thread(() -> keeper.close(timeout));
        closing.start();
        return closing;
    }
}
