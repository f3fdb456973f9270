package dev.lanekeeper.engine;

import static dev.lanekeeper.engine.EngineRig.P0;
import static dev.lanekeeper.engine.EngineRig.P1;
import static dev.lanekeeper.engine.EngineRig.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.lanes.Pause;
import dev.lanekeeper.lanes.PauseMode;
import dev.lanekeeper.lanes.PauseTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nothing runs while an engine is paused, and Kafka does not notice (edge cases 27 to 33). */
@Timeout(60)
class PausedEngineTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @RegisterExtension
    final EngineRig rig = EngineRig.acknowledging();

    @Test
    void whatRunsEndsFirstAndNothingStartsUntilTheEnd() throws Exception {
        LaneKeeper<String, String> keeper = rig.startBlocking();
        assertThat(keeper.view().pauseState()).isEqualTo(PauseState.NONE);
        rig.send("a=0", "a=1");
        Puppet.Run run = rig.puppet.run("0");
        CompletableFuture<Pause> asked = keeper.pause(LONG);
        assertThat(keeper.view().pauseState()).isEqualTo(PauseState.DRAINING);
        rig.awaitPasses(2);
        assertThat(asked).isNotDone();
        run.finish();
        Pause pause = asked.get(20, TimeUnit.SECONDS);
        assertThat(keeper.view().pauseState()).isEqualTo(PauseState.HELD);
        assertThat(keeper.view().state()).isEqualTo(EngineState.RUNNING);
        rig.send("b=2");
        rig.awaitPasses(5);
        assertThat(rig.puppet.values()).containsExactly("0");
        pause.close();
        assertThat(keeper.view().pauseState()).isEqualTo(PauseState.NONE);
        rig.puppet.run("1").finish();
        rig.puppet.run("2").finish();
        rig.awaitCommitted(3);
    }

    /** PC#857, spring-kafka#2222: the member stays in its group, fetches nothing, and what is done is committed. */
    @Test
    void theConsumerPollsOnWithoutFetchingAndCommits() throws Exception {
        LaneKeeper<String, String> keeper = rig.startAsync();
        rig.send("a=0");
        Puppet.Run run = rig.puppet.run("0");
        CompletableFuture<Pause> asked = keeper.pause(LONG);
        await().until(() -> rig.consumer.paused().contains(P0));
        run.finish();
        Pause pause = asked.get(20, TimeUnit.SECONDS);
        rig.awaitCommitted(1);
        rig.send("b=1", "c=2");
        rig.awaitPasses(5);
        assertThat(keeper.view().polled()).isEqualTo(1);
        pause.close();
        await().until(() -> keeper.view().polled() == 3);
        assertThat(rig.consumer.paused()).isEmpty();
    }

    /** spring-kafka#2565, reactor-kafka#305: flags are lost with a rebalance, so the engine has to set them again. */
    @Test
    void partitionsThatComeDuringAPauseArePausedAndFetchedAfterIt() throws Exception {
        LaneKeeper<String, String> keeper = rig.startAsync();
        Pause pause = keeper.pause(LONG).get(20, TimeUnit.SECONDS);
        await().until(() -> rig.consumer.paused().contains(P0));
        rig.consumer.append(P1, "b", "other");
        rig.consumer.assign(P1);
        rig.consumer.revokeAndReturn(P0);
        rig.send("a=0");
        await().until(() -> keeper.view().rebalances() == 4);
        rig.awaitPasses(3);
        assertThat(rig.consumer.paused()).containsExactlyInAnyOrder(P0, P1);
        assertThat(keeper.view().polled()).isZero();
        pause.close();
        rig.puppet.run("0");
        rig.puppet.run("other");
    }

    /** Edge case 32: what waits behind the pause and moves is dropped, and runs once it has come again. */
    @Test
    void queuedRecordsOfAPartitionThatGoesNeverRun() throws Exception {
        LaneKeeper<String, String> keeper = rig.startAsync();
        rig.send("a=0", "a=1");
        Puppet.Run run = rig.puppet.run("0");
        CompletableFuture<Pause> asked = keeper.pause(LONG);
        run.finish();
        Pause pause = asked.get(20, TimeUnit.SECONDS);
        rig.consumer.revoke(P0);
        await().until(() -> keeper.view().partitions().isEmpty());
        pause.close();
        await().until(() -> keeper.view().lanes().live() == 0);
        assertThat(rig.puppet.values()).containsExactly("0");
        rig.consumer.assign(P0);
        rig.puppet.run("1").finish();
        rig.awaitCommitted(2);
    }

    @Test
    void aThrottledPartitionStaysSoAndIsLetGoByItself() throws Exception {
        LaneKeeper<String, String> keeper =
                rig.start(settings -> settings.bufferRecords(4).asyncHandler(rig.puppet.async()));
        rig.consumer.inPoll(() -> rig.send("a=0", "b=1", "c=2", "d=3"));
        await().until(() -> keeper.view().partitions().stream().anyMatch(EngineView.PartitionView::throttled));
        await().until(() -> rig.puppet.started().size() == 4);
        CompletableFuture<Pause> asked = keeper.pause(LONG);
        rig.puppet.finishAll();
        Pause pause = asked.get(20, TimeUnit.SECONDS);
        rig.awaitPasses(3);
        rig.send("e=4");
        rig.awaitPasses(3);
        assertThat(rig.consumer.paused()).containsExactly(P0);
        pause.close();
        rig.puppet.run("4").finish();
        rig.awaitCommitted(5);
        assertThat(keeper.view().partitions().get(0).throttled()).isFalse();
    }

    @Test
    void inModeSubmittedWhatWasDeliveredIsDoneFirst() throws Exception {
        LaneKeeper<String, String> keeper = rig.startAsync();
        rig.send("a=0", "a=1");
        Puppet.Run run = rig.puppet.run("0");
        await().until(() -> keeper.view().polled() == 2);
        CompletableFuture<Pause> asked = keeper.pause(PauseMode.SUBMITTED, LONG);
        run.finish();
        Puppet.Run second = rig.puppet.run("1");
        assertThat(asked).isNotDone();
        second.finish();
        asked.get(20, TimeUnit.SECONDS).close();
    }

    /** Edge case 29. */
    @Test
    void aPauseThatIsNotHeldInTimeNamesWhatRunsAndLeavesNothingBehind() {
        LaneKeeper<String, String> keeper = rig.startAsync();
        rig.send("a=0");
        Puppet.Run run = rig.puppet.run("0");
        CompletableFuture<Pause> asked = keeper.pause(Duration.ofMillis(20));
        assertThatThrownBy(() -> asked.get(20, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(PauseTimeoutException.class)
                .hasMessageContaining("still running: a");
        assertThat(keeper.view().pauseState()).isEqualTo(PauseState.NONE);
        await().until(() -> rig.consumer.paused().isEmpty());
        rig.send("b=1");
        rig.puppet.run("1").finish();
        run.finish();
        rig.awaitCommitted(2);
    }

    @Test
    void whoeverCancelsLeavesNothingBehind() {
        LaneKeeper<String, String> keeper = rig.startAsync();
        rig.send("a=0");
        rig.puppet.run("0");
        CompletableFuture<Pause> asked = keeper.pause(LONG);
        await().until(() -> rig.consumer.paused().contains(P0));
        assertThat(asked.cancel(false)).isTrue();
        assertThat(keeper.view().pauseState()).isEqualTo(PauseState.NONE);
        rig.send("b=1");
        rig.puppet.run("1");
    }

    @Test
    void resumeEndsAllPausesAndTheHolderNeedNotKnow() throws Exception {
        LaneKeeper<String, String> keeper = rig.startAsync();
        Pause held = keeper.pause(LONG).get(20, TimeUnit.SECONDS);
        CompletableFuture<Pause> next = keeper.pause(LONG);
        assertThat(next).isNotDone();
        keeper.resume();
        assertThat(keeper.view().pauseState()).isEqualTo(PauseState.NONE);
        assertThatThrownBy(next::join).isInstanceOf(CancellationException.class);
        rig.send("a=0");
        rig.puppet.run("0");
        held.close();
        assertThatThrownBy(held::close).isInstanceOf(IllegalStateException.class);
        keeper.resume(); // nothing to do
    }

    @Test
    void twoPausesComeOneAfterAnother() throws Exception {
        LaneKeeper<String, String> keeper = rig.startAsync();
        Pause first = keeper.pause(LONG).get(20, TimeUnit.SECONDS);
        CompletableFuture<Pause> second = keeper.pause(LONG);
        first.close();
        assertThat(rig.consumer.paused()).isSubsetOf(P0);
        second.get(20, TimeUnit.SECONDS).close();
        assertThatThrownBy(first::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("released before");
    }

    /** Edge case 27. */
    @Test
    void aHandlerThatAsksForAPauseOrADrainIsRefused() {
        CompletableFuture<Throwable> pause = new CompletableFuture<>();
        CompletableFuture<Throwable> drain = new CompletableFuture<>();
        CompletableFuture<LaneKeeper<String, String>> self = new CompletableFuture<>();
        LaneKeeper<String, String> keeper = rig.start(settings -> settings.handler(delivery -> {
            pause.complete(thrownBy(() -> self.join().pause(LONG)));
            drain.complete(thrownBy(() -> self.join().drain(LONG)));
        }));
        self.complete(keeper);
        rig.send("a=0");
        assertThat(pause.join())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("would wait for that task");
        assertThat(drain.join())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a handler asks to drain engine lanekeeper, which would wait for that handler");
        rig.awaitCommitted(1);
        assertThat(keeper.view().pauseState()).isEqualTo(PauseState.NONE);
    }

    private static Throwable thrownBy(Supplier<CompletableFuture<Pause>> call) {
        try {
            CompletableFuture<Pause> unused = call.get();
            return new AssertionError("nothing thrown");
        } catch (RuntimeException e) {
            return e;
        }
    }

    @Test
    void anEngineMayBePausedBeforeItStarts() throws Exception {
        LaneKeeper<String, String> keeper =
                rig.builder().handler(rig.puppet.blocking()).build();
        Pause pause = keeper.pause(LONG).get(20, TimeUnit.SECONDS);
        keeper.start();
        await().until(() -> rig.consumer.subscribed());
        rig.consumer.assign(P0);
        rig.send("a=0");
        rig.awaitPasses(3);
        assertThat(keeper.view().polled()).isZero();
        pause.close();
        rig.puppet.run("0").finish();
        rig.awaitCommitted(1);
        keeper.close();
    }

    /** Edge case 33: a pause that waits fails, one that is held ends first; what is queued never starts. */
    @Test
    void closingWaitsForAHeldPauseAndFailsTheOthers() throws Exception {
        LaneKeeper<String, String> keeper = rig.startAsync();
        rig.send("a=0", "a=1");
        Puppet.Run run = rig.puppet.run("0");
        CompletableFuture<Pause> asked = keeper.pause(LONG);
        run.finish();
        Pause held = asked.get(20, TimeUnit.SECONDS);
        CompletableFuture<Pause> waiting = keeper.pause(LONG);
        CompletableFuture<Pause> draining = keeper.drain(LONG);
        Thread closing = new Thread(() -> keeper.close(LONG));
        closing.start();
        for (CompletableFuture<Pause> given : List.of(waiting, draining)) {
            assertThatThrownBy(() -> given.get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(RejectedExecutionException.class)
                    .hasMessageContaining("engine lanekeeper is closing");
        }
        rig.awaitPasses(3);
        assertThat(closing.isAlive()).isTrue();
        assertThatThrownBy(() -> keeper.pause(LONG)).isInstanceOf(RejectedExecutionException.class);
        held.close();
        closing.join();
        assertThat(rig.puppet.values()).containsExactly("0");
        assertThat(rig.consumer.committedOffset(P0)).isEqualTo(1);
        assertThat(keeper.view().lanes().live()).isZero();
        assertThat(keeper.view().state()).isEqualTo(EngineState.CLOSED);
    }

    @Test
    void aPauseThatNobodyEndsDoesNotKeepTheEngineOpen() throws Exception {
        LaneKeeper<String, String> keeper = rig.startAsync();
        rig.send("a=0", "a=1");
        Puppet.Run run = rig.puppet.run("0");
        CompletableFuture<Pause> asked = keeper.pause(LONG);
        run.finish();
        Pause held = asked.get(20, TimeUnit.SECONDS);
        keeper.close(Duration.ofMillis(50));
        assertThat(keeper.view().state()).isEqualTo(EngineState.CLOSED);
        await().until(() -> keeper.view().lanes().live() == 0);
        assertThat(rig.puppet.values()).containsExactly("0");
        assertThat(keeper.view().pauseState()).isEqualTo(PauseState.NONE);
        held.close(); // its holder need not know
    }

    @Test
    void aFatalErrorEndsWaitingPauses() {
        LaneKeeper<String, String> keeper = rig.startAsync();
        rig.send("a=0");
        Puppet.Run run = rig.puppet.run("0");
        CompletableFuture<Pause> waiting = keeper.pause(LONG);
        KafkaException cause = new KafkaException("planned");
        rig.consumer.inPoll(() -> {
            throw cause;
        });
        await().until(waiting::isCompletedExceptionally);
        run.finish(); // which the engine waits for
        await().until(() -> keeper.terminated().isDone());
        assertThat(keeper.view().failure()).containsSame(cause);
        assertThat(keeper.view().state()).isEqualTo(EngineState.FAILED);
    }

    @Test
    void aNegativeTimeoutIsRefused() {
        LaneKeeper<String, String> keeper = rig.startAsync();
        assertThatThrownBy(() -> keeper.pause(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("timeout must not be negative: PT-0.001S");
        assertThatThrownBy(() -> keeper.drain(Duration.ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> keeper.close(Duration.ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
        assertThat(keeper.view().state()).isEqualTo(EngineState.RUNNING);
    }
}
