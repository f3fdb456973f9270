package dev.lanekeeper.engine;

import static dev.lanekeeper.engine.EngineRig.P0;
import static dev.lanekeeper.engine.EngineRig.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.handler.BatchHandler;
import dev.lanekeeper.engine.handler.BatchLimit;
import dev.lanekeeper.engine.handler.FailurePolicy;
import dev.lanekeeper.engine.handler.FailurePolicy.Verdict;
import dev.lanekeeper.engine.handler.HandlerTimeout;
import dev.lanekeeper.engine.handler.OnFailure;
import dev.lanekeeper.engine.handler.RetryPolicy;
import dev.lanekeeper.engine.handler.TerminalException;
import dev.lanekeeper.engine.testing.BatchDriver;
import dev.lanekeeper.engine.testing.HandlerReport;
import dev.lanekeeper.engine.testing.TestDelivery;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A batch fails as a whole, is tried again as a whole, and then each of its records alone: the one at fault is found. */
@Timeout(60)
class BatchFailureTest {
    private static final FailurePolicy HOLDS = FailurePolicy.DEFAULT
            .when(FileNotFoundException.class, Verdict.HOLD)
            .withHoldFor(Duration.ofHours(1));

    private final IOException planned = new IOException("planned");

    @RegisterExtension
    final EngineRig rig = EngineRig.acknowledging();

    private final BatchPuppet puppet = new BatchPuppet(rig);

    @AfterEach
    void finishAll() {
        puppet.finishAll();
    }

    private LaneKeeper<String, String> start(UnaryOperator<LaneKeeperBuilder<String, String>> settings) {
        return rig.start(builder -> settings.apply(builder.batchHandler(puppet.handler(), BatchLimit.records(10))));
    }

    /** Records 1, 2 and 3 in one batch, which is about to be tried for the last time. */
    private LaneKeeper<String, String> lastTry(UnaryOperator<LaneKeeperBuilder<String, String>> settings) {
        LaneKeeper<String, String> keeper = start(builder -> settings.apply(builder.retry(RetryPolicy.never())));
        puppet.holding(keeper, "a=1", "a=2", "a=3").finish();
        return keeper;
    }

    @Test
    void aFailedBatchIsGatheredAnewAndTriedAgain() {
        LaneKeeper<String, String> keeper =
                start(settings -> settings.retry(new RetryPolicy(3, Duration.ofMillis(40), Duration.ofMillis(40), 0)));
        puppet.holding(keeper, "a=1", "a=2").finish();
        BatchPuppet.Run batch = puppet.run("1", "2").emit();
        rig.send("a=3");
        await().until(() -> keeper.view().polled() == 4);
        rig.awaitPasses(2);
        batch.fail(planned);
        BatchPuppet.Run again = puppet.run("1", "2", "3");
        assertThat(again.attempts()).containsExactly(2, 2, 1);
        again.finish();
        rig.awaitCommitted(4);
        assertThat(keeper.view().failedAttempts()).as("attempts, not records").isEqualTo(1);
        assertThat(rig.sent("out")).as("of the failed attempt").isEmpty();
        assertThat(rig.sent("dead")).isEmpty();
    }

    @Test
    void afterItsLastAttemptEachRecordIsTriedAloneAndThePoisonedOneIsSetAside() {
        LaneKeeper<String, String> keeper = start(settings -> settings);
        puppet.holding(keeper, "a=1", "a=2", "a=3").finish();
        for (int attempt = 0; attempt < 3; attempt++) {
            puppet.run(attempt, "1", "2", "3").fail(planned);
        }
        BatchPuppet.Run alone = puppet.run("1");
        assertThat(alone.attempts()).containsExactly(4);
        rig.send("a=4", "a=5");
        await().until(() -> keeper.view().polled() == 6);
        rig.awaitPasses(2);
        alone.finish();
        for (int attempt = 0; attempt < 3; attempt++) {
            puppet.run(attempt, "2").fail(planned);
        }
        puppet.run("3").finish();
        puppet.run("4", "5").finish(); // they have done nothing: a batch again
        rig.awaitCommitted(6);
        assertThat(rig.sent("dead")).containsExactly("2");
        assertThat(rig.deadLetter(0)).containsEntry("lanekeeper.attempts", "6");
        assertThat(puppet.batches()).hasSize(1 + 3 + 1 + 3 + 1 + 1);
        await().until(() -> keeper.view().lanes().live() == 0);
    }

    @Test
    void aFailureThatIsNotTriedAgainHasEachRecordTriedAloneAtOnce() {
        LaneKeeper<String, String> keeper = start(settings -> settings);
        puppet.holding(keeper, "a=1", "a=2").finish();
        puppet.run("1", "2").fail(new TerminalException("planned"));
        puppet.run("1").finish();
        puppet.run("2").fail(new TerminalException("planned"));
        rig.awaitCommitted(3);
        assertThat(rig.sent("dead")).containsExactly("2");
        assertThat(rig.deadLetter(0)).containsEntry("lanekeeper.attempts", "2");
    }

    @Test
    void aBatchOfOneIsJudgedAtOnce() {
        LaneKeeper<String, String> keeper = start(settings -> settings);
        rig.send("a=0");
        for (int attempt = 0; attempt < 3; attempt++) {
            puppet.run(attempt, "0").fail(planned);
        }
        rig.awaitCommitted(1);
        assertThat(rig.deadLetter(0)).containsEntry("lanekeeper.attempts", "3");
        assertThat(keeper.view().failedAttempts()).isEqualTo(3);
    }

    @Test
    void thePoisonedRecordAloneParksItsCustomer() throws Exception {
        HistoryLog log = new HistoryLog(rig, 3);
        LaneKeeper<String, String> keeper = lastTry(settings -> settings.failures(FailurePolicy.of(OnFailure.PARK_KEY))
                .parkedRecords(HistoryLog.TOPIC)
                .parkingLog(log));
        puppet.run("1", "2", "3").fail(planned);
        puppet.run("1").finish();
        puppet.run("2").fail(planned);
        rig.awaitCommitted(4);
        assertThat(rig.sent(HistoryLog.TOPIC)).containsExactly("2", "3");
        rig.send("a=4");
        rig.awaitCommitted(5);

        CompletableFuture<Long> replayed = keeper.unpark("a".getBytes(UTF_8));
        puppet.run(1, "2").finish();
        puppet.run("3").finish(); // one by one
        puppet.run("4").finish();
        assertThat(replayed.get(20, TimeUnit.SECONDS)).isEqualTo(3);
        assertThat(keeper.view().parkedKeys()).isEmpty();
    }

    @Test
    void thePoisonedRecordAloneStopsItsPartition() {
        LaneKeeper<String, String> keeper =
                lastTry(settings -> settings.failures(FailurePolicy.of(OnFailure.STOP_PARTITION)));
        puppet.run("1", "2", "3").fail(planned);
        puppet.run("1").finish();
        puppet.run("2").fail(planned);
        await().until(() -> keeper.view().stoppedPartitions().size() == 1);
        rig.awaitCommitted(2);
        assertThat(keeper.view().stoppedPartitions().get(0).offset()).isEqualTo(2);
        keeper.resumePartition(P0);
        puppet.run(1, "2").fail(planned); // anew, and still alone
        await().until(() -> keeper.view().stoppedPartitions().size() == 1);
        keeper.skipRecord(P0);
        puppet.run("3").finish();
        rig.awaitCommitted(4);
        assertThat(rig.sent("dead")).containsExactly("2");
    }

    @Test
    void aBatchThatWasOverdueAndFailsIsSplitAndARecordThatIsItTooSaysSo() {
        ManualTime time = new ManualTime();
        Duration limit = Duration.ofSeconds(10);
        lastTry(settings -> settings.environment(time).handlerTimeout(HandlerTimeout.hold(limit)));
        BatchPuppet.Run batch = puppet.run("1", "2", "3");
        time.advance(limit.multipliedBy(2));
        batch.fail(planned);
        time.untilSoon(() -> puppet.batches().contains(List.of("1")));
        puppet.run("1").finish();
        BatchPuppet.Run slow = puppet.run("2");
        time.advance(limit.multipliedBy(2));
        slow.fail(planned);
        puppet.run("3").finish();
        time.untilSoon(() -> rig.consumer.committedOffset(P0) == 4);
        assertThat(rig.deadLetter(0)).containsEntry("lanekeeper.error.stage", "timeout");
    }

    /** As for single records: nothing is certain after it. */
    @Test
    void noMemoryEndsTheEngineWithoutACommit() {
        LaneKeeper<String, String> keeper = start(settings -> settings);
        puppet.holding(keeper, "a=1", "a=2").finish();
        rig.awaitCommitted(1);
        puppet.run("1", "2").fail(new OutOfMemoryError("planted"));
        await().until(() -> keeper.view().state() == EngineState.FAILED);
        assertThat(puppet.batches()).hasSize(2);
        assertThat(rig.consumer.committedOffset(P0)).isEqualTo(1);
        assertThat(rig.sent("dead")).isEmpty();
    }

    @Test
    void aWriterOfResultsThatThrowsInTheMiddleHasTheRestTriedAlone() {
        LaneKeeper<String, String> keeper = lastTry(settings -> settings.results(result -> {
            if ("2".equals(result.value()) && result.done()) {
                throw new IllegalStateException("planned");
            }
            return List.of();
        }));
        puppet.run("1", "2", "3").finish();
        puppet.run("2").finish();
        puppet.run("3").finish();
        rig.awaitCommitted(4);
        assertThat(rig.sent("dead")).containsExactly("2");
        assertThat(rig.deadLetter(0)).containsEntry("lanekeeper.error.stage", "publish");
        assertThat(keeper.view().completed()).isEqualTo(4);
    }

    /** Nor is the head, which was held for all of them, less patient than the others. */
    @Test
    void triesOfAHeldBatchDoNotCountWhenItsHeadIsTriedAlone() {
        LaneKeeper<String, String> keeper = start(settings -> settings.failures(HOLDS));
        puppet.holding(keeper, "a=1", "a=2").finish();
        for (int attempt = 0; attempt < 3; attempt++) {
            puppet.run(attempt, "1", "2").fail(new FileNotFoundException("not there yet"));
        }
        puppet.run(3, "1", "2").fail(new TerminalException("planned"));
        puppet.run("1").fail(new FileNotFoundException("not there yet"));
        for (int attempt = 1; attempt < 4; attempt++) {
            puppet.run(attempt, "1").fail(planned);
        }
        puppet.run("2").finish();
        rig.awaitCommitted(3);
        assertThat(rig.sent("dead")).containsExactly("1");
        assertThat(rig.deadLetter(0)).containsEntry("lanekeeper.attempts", "8");
    }

    /** What the handler fails with. */
    enum Trouble {
        RETRIED {
            @Override
            RuntimeException failure(int call) {
                return new IllegalStateException("planned");
            }
        },
        FINAL {
            @Override
            RuntimeException failure(int call) {
                return new TerminalException("planned");
            }
        },
        HELD_AT_FIRST {
            @Override
            RuntimeException failure(int call) {
                return call <= 2
                        ? new UncheckedIOException(new FileNotFoundException("not there yet"))
                        : new IllegalStateException("planned");
            }
        };

        abstract RuntimeException failure(int call);
    }

    @ParameterizedTest
    @EnumSource
    void theDriverForBatchesSaysWhatTheEngineDoes(Trouble trouble) {
        List<String> said = new ArrayList<>();
        List<HandlerReport> reports = BatchDriver.handler(failingAtTwo(said, trouble))
                .retry(EngineRig.AT_ONCE)
                .failures(HOLDS)
                .deliver(List.of(TestDelivery.of("a", "1"), TestDelivery.of("a", "2"), TestDelivery.of("a", "3")));

        List<String> calls = Collections.synchronizedList(new ArrayList<>());
        BatchHandler<String, String> handler = failingAtTwo(calls, trouble);
        LaneKeeper<String, String> keeper = rig.start(builder -> builder.failures(HOLDS)
                .batchHandler(
                        batch -> {
                            if ("first".equals(batch.get(0).value())) {
                                puppet.handler().handle(batch);
                            } else {
                                handler.handle(batch);
                            }
                        },
                        BatchLimit.records(10)));
        puppet.holding(keeper, "a=1", "a=2", "a=3").finish();
        rig.awaitCommitted(4);
        assertThat(calls).isEqualTo(said);
        assertThat(reports).extracting(HandlerReport::done).containsExactly(true, false, true);
        assertThat(rig.deadLetter(0))
                .containsEntry(
                        "lanekeeper.attempts", String.valueOf(reports.get(1).attempts()));
    }

    private static BatchHandler<String, String> failingAtTwo(List<String> calls, Trouble trouble) {
        return batch -> {
            calls.add(batch.stream()
                    .map(delivery -> delivery.value() + " " + delivery.attempt())
                    .toList()
                    .toString());
            if (batch.stream().anyMatch(delivery -> "2".equals(delivery.value()))) {
                throw trouble.failure(calls.size());
            }
        };
    }
}
