package dev.lanekeeper.engine;

import static dev.lanekeeper.engine.EngineRig.P0;
import static dev.lanekeeper.engine.EngineRig.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.engine.handler.FailurePolicy;
import dev.lanekeeper.engine.handler.FailurePolicy.Verdict;
import dev.lanekeeper.engine.handler.OnFailure;
import dev.lanekeeper.engine.handler.RetryPolicy;
import dev.lanekeeper.engine.handler.TerminalException;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A customer that fails is parked, in order, with all that follows; comes back in order; and stays parked through anything. */
@Timeout(60)
class ParkingTest {
    @RegisterExtension
    final EngineRig rig = EngineRig.acknowledging();

    private final HistoryLog log = new HistoryLog(rig, 3);

    private LaneKeeper<String, String> start(UnaryOperator<LaneKeeperBuilder<String, String>> settings) {
        return rig.start(builder -> settings.apply(builder.retry(RetryPolicy.never())
                .failures(FailurePolicy.of(OnFailure.PARK_KEY))
                .parkedRecords(HistoryLog.TOPIC)
                .parkingLog(log)
                .asyncHandler(rig.puppet.async())));
    }

    /** Customer a is parked with {@code bad}, {@code 1} and {@code 3}; b is not. */
    private LaneKeeper<String, String> parked() {
        LaneKeeper<String, String> keeper = start(UnaryOperator.identity());
        rig.send("a=bad", "a=1", "b=2", "a=3");
        rig.puppet.run("bad").fail(new IOException("planned"));
        rig.puppet.run("2").finish();
        rig.awaitCommitted(4);
        return keeper;
    }

    private static byte[] key(String key) {
        return key.getBytes(UTF_8);
    }

    /** What is in the parking topic after compaction would have been through it, in order. */
    private List<String> inTheLot() {
        Map<String, String> left = new LinkedHashMap<>();
        for (ProducerRecord<byte[], byte[]> record : rig.records(HistoryLog.TOPIC)) {
            String place = new String(record.key(), UTF_8);
            left.remove(place);
            if (record.value() != null) {
                left.put(place, new String(record.value(), UTF_8));
            }
        }
        return List.copyOf(left.values());
    }

    @Test
    void aFinalFailureParksTheRecordAndAllThatFollowOfTheCustomer() {
        LaneKeeper<String, String> keeper = parked();
        assertThat(inTheLot()).containsExactly("bad", "1", "3");
        assertThat(rig.puppet.values()).containsExactlyInAnyOrder("bad", "2");
        assertThat(rig.sent("dead")).isEmpty();
        assertThat(keeper.view().parked()).isEqualTo(3);
        EngineView.ParkedKey entry = keeper.view().parkedKeys().get(0);
        assertThat(entry.laneKey().get()).isEqualTo(key("a"));
        assertThat(entry.topicPartition()).isEqualTo(P0);
        assertThat(entry.records()).isEqualTo(3);
        assertThat(entry.firstOffset()).isZero();
        assertThat(entry.lastOffset()).isEqualTo(3);
        assertThat(entry.cause()).isEqualTo("java.io.IOException: planned");
        await().until(() -> keeper.view().lanes().live() == 0);
    }

    @Test
    void theyAreReplayedInOrderAndBeforeNewerOnes() throws Exception {
        LaneKeeper<String, String> keeper = parked();
        CompletableFuture<Long> replayed = keeper.unpark(key("a"));
        Puppet.Run again = rig.puppet.run("bad", 1);
        assertThat(again.delivery().record().offset()).isZero();
        assertThat(again.delivery().record().topic()).isEqualTo("jobs");
        assertThat(again.delivery().attempt()).isEqualTo(1);
        rig.send("a=4");
        await().until(() -> keeper.view().polled() == 5);
        assertThatThrownBy(() -> keeper.unpark(key("a")).get(20, TimeUnit.SECONDS))
                .hasMessageContaining("being replayed already");
        again.finish();
        for (String value : List.of("1", "3", "4")) {
            rig.puppet.run(value).finish();
        }
        assertThat(replayed.get(20, TimeUnit.SECONDS)).isEqualTo(4); // the newer one was parked in its turn
        assertThat(keeper.view().parkedKeys()).isEmpty();
        assertThat(inTheLot()).isEmpty();
        rig.send("a=5");
        rig.puppet.run("5").finish();
        rig.awaitCommitted(6);
        assertThat(rig.puppet.values().stream().filter(value -> !value.equals("2")))
                .containsExactly("bad", "bad", "1", "3", "4", "5");
    }

    /** Nothing was committed: what comes again is in the lot already, is not run, and is there once. */
    @Test
    void aCrashBetweenParkingAndCommittingParksNothingTwice() {
        LaneKeeper<String, String> keeper = start(builder -> builder.commitInterval(Duration.ofHours(1)));
        rig.send("a=bad", "a=1");
        rig.puppet.run("bad").fail(new IOException("planned"));
        await().until(() -> keeper.view().parked() == 2);
        rig.consumer.lose(P0);
        rig.consumer.assign(P0);
        rig.send("a=2");
        await().until(() -> inTheLot().size() == 3);
        rig.awaitPasses(3);
        assertThat(inTheLot()).containsExactly("bad", "1", "2");
        assertThat(rig.records(HistoryLog.TOPIC)).hasSize(3);
        assertThat(rig.puppet.values()).containsExactly("bad");
        assertThat(keeper.view().parkedKeys()).hasSize(1);
    }

    @Test
    void whoIsParkedStaysSoWhereverThePartitionMoves() throws Exception {
        LaneKeeper<String, String> keeper = parked();
        rig.consumer.revoke(P0);
        await().until(() -> keeper.view().parkedKeys().isEmpty());
        rig.consumer.assign(P0);
        rig.send("a=4");
        await().until(() -> inTheLot().size() == 4);
        CompletableFuture<Long> replayed = keeper.unpark(key("a"));
        for (String value : List.of("1", "3", "4")) {
            rig.puppet.run("bad", 1).finish();
            rig.puppet.run(value).finish();
        }
        assertThat(replayed.get(20, TimeUnit.SECONDS)).isEqualTo(4);
        assertThat(rig.puppet.values().stream().filter(value -> !value.equals("2")))
                .containsExactly("bad", "bad", "1", "3", "4");
    }

    /** A replay that ends half-way leaves the rest as it was, and the next owner knows what is left. */
    @Test
    void aPartitionThatMovesDuringAReplayKeepsTheRestParked() {
        LaneKeeper<String, String> keeper = parked();
        CompletableFuture<Long> replayed = keeper.unpark(key("a"));
        rig.puppet.run("bad", 1).finish();
        Puppet.Run one = rig.puppet.run("1");
        rig.consumer.revokeAndReturn(P0);
        rig.awaitPasses(2);
        one.finish(); // its result does not count any more
        assertThatThrownBy(() -> replayed.get(20, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("jobs-0 was taken away");
        rig.send("a=4");
        await().until(() -> inTheLot().size() == 3);
        assertThat(inTheLot()).containsExactly("1", "3", "4");
        await().until(() -> keeper.view().parkedKeys().get(0).lastOffset() == 4);
        CompletableFuture<Long> rest = keeper.unpark(key("a"));
        rig.puppet.run("1", 1).finish();
        rig.puppet.run("3").finish();
        rig.puppet.run("4").finish();
        await().until(() -> keeper.view().parkedKeys().isEmpty());
        assertThat(rest).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(3L);
    }

    /** Were it taken out sooner, a crash would lose what it caused. */
    @Test
    void aReplayedRecordIsTakenOutWhenAllThatItCausedIsAcknowledged() {
        LaneKeeper<String, String> keeper = parked();
        CompletableFuture<Long> replayed = keeper.unpark(key("a"));
        Puppet.Run again = rig.puppet.run("bad", 1);
        again.delivery().emit(new ProducerRecord<>("out", key("done")));
        int before = rig.producer().history().size();
        again.finish();
        rig.puppet.run("1").finish();
        List<String> then = rig.producer().history().stream()
                .skip(before)
                .map(ProducerRecord::topic)
                .toList();
        assertThat(then).startsWith("out", HistoryLog.TOPIC);
        rig.puppet.run("3").finish();
        assertThat(replayed).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(3L);
    }

    @Test
    void nothingStartsBeforeItIsKnownWhatIsParked() {
        log.door = new CountDownLatch(1);
        LaneKeeper<String, String> keeper = start(UnaryOperator.identity());
        rig.send("a=0", "b=1");
        await().until(() -> keeper.view().polled() == 2);
        rig.awaitPasses(3);
        assertThat(rig.puppet.started()).isEmpty();
        rig.consumer.revokeAndReturn(P0); // those that wait go, and don't keep their lanes
        rig.awaitPasses(2);
        assertThat(rig.puppet.started()).isEmpty();
        log.door.countDown();
        rig.puppet.run("0").finish();
        rig.puppet.run("1").finish();
        rig.awaitCommitted(2);
        assertThat(rig.puppet.started()).hasSize(2);
    }

    @Test
    void aTopicThatCantBeReadIsTriedAgainWhileRecordsWait() {
        log.failures.set(1);
        start(UnaryOperator.identity());
        rig.send("a=0");
        rig.puppet.run("0").finish();
        rig.awaitCommitted(1);
        assertThat(log.failures.get()).isNegative();
    }

    @Test
    void whatFailsAgainStaysParkedAndCanBeSkipped() {
        LaneKeeper<String, String> keeper = parked();
        CompletableFuture<Long> replayed = keeper.unpark(key("a"));
        rig.puppet.run("bad", 1).fail(new TerminalException("still"));
        assertThatThrownBy(() -> replayed.get(20, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("stays parked from jobs-0@0 on, which failed again")
                .hasMessageContaining("still");
        assertThat(inTheLot()).containsExactly("bad", "1", "3");
        assertThat(keeper.view().parkedKeys()).hasSize(1);

        assertThat(keeper.skipParked(key("a")))
                .succeedsWithin(Duration.ofSeconds(20))
                .isEqualTo(1L);
        assertThat(rig.sent("dead")).containsExactly("bad");
        assertThat(rig.deadLetter(0))
                .containsEntry("lanekeeper.error.message", "skipped on request")
                .containsEntry("lanekeeper.origin.offset", "0");
        assertThat(inTheLot()).containsExactly("1", "3");
        CompletableFuture<Long> rest = keeper.unpark(key("a"));
        rig.puppet.run("1").finish();
        rig.puppet.run("3").finish();
        assertThat(rest).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(2L);
    }

    @Test
    void aRuleDecidesByTheClassOfTheFailure() {
        start(builder -> builder.failures(FailurePolicy.of(OnFailure.SKIP_TO_DEAD_LETTERS)
                .when(IOException.class, Verdict.PARK)
                .when(IllegalArgumentException.class, Verdict.DEAD_LETTER)));
        rig.send("a=parks", "b=skips", "a=1", "b=2");
        rig.puppet.run("parks").fail(new IOException("planned"));
        rig.puppet.run("skips").fail(new IllegalArgumentException("planned"));
        rig.puppet.run("2").finish();
        rig.awaitCommitted(4);
        assertThat(inTheLot()).containsExactly("parks", "1");
        assertThat(rig.sent("dead")).containsExactly("skips");
    }

    @Test
    void aRecordComesBackAsItWas() {
        LaneKeeper<String, String> keeper = start(UnaryOperator.identity());
        rig.send("a=bad");
        rig.consumer.append(P0, "a", null);
        Puppet.Run first = rig.puppet.run("bad");
        first.fail(new IOException("planned"));
        rig.awaitCommitted(2);
        CompletableFuture<Long> replayed = keeper.unpark(key("a"));
        Puppet.Run again = rig.puppet.run("bad", 1);
        assertThat(again.delivery().record().headers())
                .isEqualTo(first.delivery().record().headers());
        assertThat(again.delivery().record().timestamp())
                .isEqualTo(first.delivery().record().timestamp());
        assertThat(again.delivery().key()).isEqualTo("a");
        again.finish();
        rig.puppet.run("null").finish(); // without a value, which would otherwise be gone from the topic
        assertThat(replayed).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(2L);
    }

    @Test
    void aRecordThatCantBeReadIsDeadLetteredAndItsCustomerIsNotParked() {
        start(UnaryOperator.identity());
        rig.consumer.append(P0, null, "no lane key");
        rig.send("a=0");
        rig.puppet.run("0").finish();
        rig.awaitCommitted(2);
        assertThat(rig.sent("dead")).containsExactly("no lane key");
        assertThat(inTheLot()).isEmpty();
    }

    @Test
    void aCustomerIsParkedOnRequestFromTheNextRecordOn() {
        LaneKeeper<String, String> keeper = start(builder -> builder.failures(FailurePolicy.DEFAULT));
        rig.send("a=0", "a=1");
        Puppet.Run running = rig.puppet.run("0");
        keeper.park(key("a"));
        running.finish();
        rig.awaitCommitted(2);
        assertThat(inTheLot()).containsExactly("1");
        assertThat(keeper.view().parkedKeys().get(0).cause()).isEqualTo("on request");
        CompletableFuture<Long> replayed = keeper.unpark(key("a"));
        rig.puppet.run("1").finish();
        assertThat(replayed).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(1L);

        keeper.park(key("a"));
        assertThat(keeper.unpark(key("a")))
                .succeedsWithin(Duration.ofSeconds(20))
                .isEqualTo(0L);
        rig.send("a=2");
        rig.puppet.run("2");
    }

    @Test
    void parkingAnswersWhatItCantDo() {
        assertThat(start(UnaryOperator.identity()).unpark(key("nobody")))
                .succeedsWithin(Duration.ofSeconds(20))
                .isEqualTo(0L);
        EngineRig other = EngineRig.acknowledging();
        LaneKeeper<String, String> plain =
                other.builder().asyncHandler(other.puppet.async()).build();
        assertThatThrownBy(() -> plain.unpark(key("a")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("this engine parks nothing");
        plain.close();
    }

    @Test
    void theTopicsMustNotBeTheSame() {
        assertThatThrownBy(() -> rig.builder()
                        .parkedRecords("dead")
                        .asyncHandler(rig.puppet.async())
                        .build())
                .hasMessageContaining("must not be the dead-letter topic");
        assertThatThrownBy(() -> rig.builder()
                        .parkedRecords("jobs")
                        .asyncHandler(rig.puppet.async())
                        .build())
                .hasMessageContaining("the parking topic must not be among the topics that are consumed");
    }
}
