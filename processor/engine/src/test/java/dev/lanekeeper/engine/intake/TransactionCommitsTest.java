package dev.lanekeeper.engine.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.engine.result.Transactions;
import dev.lanekeeper.testkit.ManualClock;
import dev.lanekeeper.testkit.SteppingExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is done and what was sent, committed together or not at all. */
class TransactionCommitsTest {
    private static final TopicPartition P0 = new TopicPartition("jobs", 0);
    private static final TopicPartition P1 = new TopicPartition("jobs", 1);
    private static final Duration INTERVAL = Duration.ofMillis(100);

    private final ScriptedConsumer consumer = new ScriptedConsumer(false);
    private final Completions completions = new Completions();
    private final IntakeCounters counters = new IntakeCounters();
    private final ManualClock clock = new ManualClock();
    private final List<Parcel> parcels = new ArrayList<>();
    private final List<Parcel> received = new ArrayList<>();
    private final SteppingExecutor thread = new SteppingExecutor();
    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final Transactions transactions = new Transactions(producer, thread, Transactions.Waiting.BLOCKING);
    private final Intake intake = new Intake(
            consumer,
            (record, assignment, sequence) -> {
                parcels.add(new Parcel(record, assignment, sequence));
                return parcels.get(parcels.size() - 1);
            },
            completions,
            new IntakeSettings(1_000, 1 << 20, 24_000, INTERVAL, Duration.ZERO),
            counters,
            clock.nanos(),
            TopicIds.UNKNOWN,
            transactions);

    @BeforeEach
    void begin() {
        assertThat(transactions.begin()).isTrue();
        consumer.subscribe(List.of("jobs"), intake.rebalanceListener());
    }

    @Test
    void outputsGoInTheOrderOfTheirRecordsEndsWithTheOffsetsOfThatMoment() {
        receive(P0, 4);
        finish(1, 0, 3);
        passAndCommit();
        assertThat(producer.history())
                .as("a transaction is no business of the poll thread")
                .isEmpty();
        thread.runAll();
        assertThat(sent()).containsExactly("out 1", "out 0", "out 3");
        assertThat(frontiers()).containsExactly(2L);
        intake.runOnce();
        finish(2);
        passAndCommit();
        thread.runAll();
        assertThat(sent()).containsExactly("out 1", "out 0", "out 3", "out 2");
        assertThat(frontiers()).containsExactly(2L, 4L);
    }

    @Test
    void onlyOneTransactionAtATime() {
        receive(P0, 2);
        finish(0);
        passAndCommit();
        finish(1);
        passAndCommit();
        passAndCommit();
        assertThat(thread.queued()).isEqualTo(1);
        thread.runAll();
        passAndCommit();
        thread.runAll();
        assertThat(sent()).containsExactly("out 0", "out 1");
    }

    @Test
    void whatWasAbortedGoesAgainBeforeWhatHasComeMeanwhile() {
        receive(P0, 3);
        finish(0, 1);
        passAndCommit();
        producer.sendOffsetsToTransactionException = new CommitFailedException("an old generation");
        finish(2);
        intake.runOnce();
        thread.runAll();
        producer.sendOffsetsToTransactionException = null;
        assertThat(sent()).isEmpty();
        intake.runOnce();
        assertThat(thread.queued()).as("not at once, in a circle").isZero();
        passAndCommit();
        thread.runAll();
        assertThat(sent()).containsExactly("out 0", "out 1", "out 2");
        assertThat(frontiers()).containsExactly(3L);
        assertThat(counters.commitFailuresTotal()).isEqualTo(1);
    }

    /** Its next owner does these records again: one of the two must not send. */
    @Test
    void outputsOfALostPartitionAreNotSent() {
        receive(P0, 1);
        receive(P1, 1);
        finish(0, 1);
        intake.runOnce();
        consumer.lose(P0);
        intake.runOnce();
        passAndCommit();
        thread.runAll();
        assertThat(sent()).containsExactly("out 0 of jobs-1");
        assertThat(producer.consumerGroupOffsetsHistory())
                .allSatisfy(offsets ->
                        assertThat(offsets.values().iterator().next()).containsOnlyKeys(P1));
    }

    /** Under the protocol `consumer` a member may keep its epoch, and with it the right to commit, when a partition goes. */
    @Test
    void aTransactionUnderWayDoesNotCommitTheOffsetOfAPartitionThatWent() {
        receive(P0, 1);
        receive(P1, 1);
        finish(0, 1);
        passAndCommit();
        consumer.lose(P0);
        intake.runOnce();
        thread.runAll();
        assertThat(sent()).isEmpty();
        passAndCommit();
        thread.runAll();
        assertThat(sent()).containsExactly("out 0 of jobs-1");
        assertThat(frontiers()).isEmpty();
    }

    @Test
    void anOutputThatIsNeverTakenIsReplaced() {
        receive(P0, 2);
        finish(0, 1);
        producer.sendException = new RecordTooLargeException("too large");
        passAndCommit();
        thread.runAll();
        producer.sendException = null;
        passAndCommit();
        passAndCommit();
        thread.runAll();
        assertThat(producer.history()).extracting(ProducerRecord::topic).containsExactly("dead", "out");
    }

    /** Edge case 54. */
    @Test
    void aFencedProducerEndsTheEngine() {
        receive(P0, 1);
        finish(0);
        passAndCommit();
        producer.fenceProducer();
        thread.runAll();
        assertThatThrownBy(intake::runOnce)
                .isInstanceOf(KafkaException.class)
                .hasRootCauseInstanceOf(ProducerFencedException.class);
    }

    @Test
    void beyondSomeMeasureWhatIsDoneWaitsForTheTransactionUnderWay() {
        int records = 16_000;
        for (int i = 0; i < records; i++) {
            consumer.append(P0, "k" + i, "v" + i);
        }
        consumer.assign(P0);
        finishAllThatCome(100);
        assertThat(thread.queued()).as("a transaction that does not end").isEqualTo(1);
        assertThat(counters.completedTotal()).isBetween(5_000L, 12_000L);
        for (int i = 0; i < 10; i++) {
            thread.runAll();
            clock.advance(INTERVAL);
            finishAllThatCome(10);
        }
        assertThat(counters.completedTotal()).isEqualTo(records);
        assertThat(sent()).hasSize(records);
    }

    private void finishAllThatCome(int passes) {
        for (int pass = 0; pass < passes; pass++) {
            intake.runOnce();
            for (int place = received.size(); place < parcels.size(); place++) {
                received.add(parcels.get(place));
                finish(place);
            }
        }
    }

    private void receive(TopicPartition partition, int records) {
        parcels.clear();
        for (int i = 0; i < records; i++) {
            consumer.append(partition, "k" + i, "v" + i);
        }
        consumer.assign(partition);
        for (int i = 0; i < 20; i++) {
            intake.runOnce();
        }
        assertThat(parcels).hasSize(records);
        received.addAll(parcels);
    }

    private void finish(int... places) {
        for (int place : places) {
            Parcel parcel = received.get(place);
            String name = parcel.assignment().topicPartition().equals(P0)
                    ? ""
                    : " of " + parcel.assignment().topicPartition();
            parcel.outputs = List.of(new ProducerRecord<>("out", ("out " + parcel.offset() + name).getBytes(UTF_8)));
            completions.offer(parcel);
        }
    }

    private void passAndCommit() {
        clock.advance(INTERVAL);
        intake.runOnce();
    }

    private List<String> sent() {
        return producer.history().stream()
                .map(record -> new String(record.value(), UTF_8))
                .toList();
    }

    private List<Long> frontiers() {
        List<Long> found = new ArrayList<>();
        for (Map<String, Map<TopicPartition, OffsetAndMetadata>> each : producer.consumerGroupOffsetsHistory()) {
            @Nullable OffsetAndMetadata offset = each.values().iterator().next().get(P0);
            if (offset != null) {
                found.add(offset.offset());
            }
        }
        return found;
    }
}
