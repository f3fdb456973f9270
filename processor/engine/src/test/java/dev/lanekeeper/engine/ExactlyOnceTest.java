package dev.lanekeeper.engine;

import static dev.lanekeeper.engine.EngineRig.P0;
import static dev.lanekeeper.engine.EngineRig.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.handler.BatchLimit;
import dev.lanekeeper.engine.handler.FailurePolicy;
import dev.lanekeeper.engine.handler.FinalResult;
import dev.lanekeeper.engine.handler.OnFailure;
import dev.lanekeeper.engine.handler.RetryPolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an engine sends for a record, and the record's offset, are in one transaction; whichever way the record goes. */
@Timeout(60)
class ExactlyOnceTest {
    private static final int LONGEST = 20;

    @RegisterExtension
    final EngineRig rig = EngineRig.acknowledging();

    private final Transactional producer = new Transactional();

    private static final class Transactional extends MockProducer<byte[], byte[]> {
        private final CountDownLatch closed = new CountDownLatch(1);
        private final List<String> transactions = new CopyOnWriteArrayList<>();
        private volatile boolean answers = true;

        Transactional() {
            super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
        }

        /** As that of Kafka: waits for the broker, and a close ends the wait. */
        @Override
        public void initTransactions() {
            if (!answers) {
                try {
                    closed.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                throw new KafkaException("closed meanwhile");
            }
            super.initTransactions();
        }

        /** Remembers the topics of what is committed, and how far partition 0 is done by it. */
        @Override
        public void commitTransaction() {
            int before = history().size();
            super.commitTransaction();
            List<String> topics =
                    history().stream().skip(before).map(ProducerRecord::topic).toList();
            transactions.add(topics + " " + toldOffset());
        }

        @Override
        public synchronized Future<RecordMetadata> send(
                ProducerRecord<byte[], byte[]> record, org.apache.kafka.clients.producer.Callback callback) {
            if (record.topic().equals("out") && record.value().length > LONGEST) {
                throw new RecordTooLargeException("more than " + LONGEST);
            }
            return super.send(record, callback);
        }

        @Override
        public void close(Duration timeout) {
            closed.countDown();
            super.close(timeout);
        }

        List<String> sent(String topic) {
            return history().stream()
                    .filter(record -> record.topic().equals(topic))
                    .map(record -> new String(record.value(), UTF_8))
                    .toList();
        }

        /** How far the last transaction says that partition 0 is done; -1 if there was none. */
        long toldOffset() {
            var told = consumerGroupOffsetsHistory();
            if (told.isEmpty()) {
                return -1;
            }
            var offsets = told.get(told.size() - 1).values().iterator().next();
            return offsets.containsKey(P0) ? offsets.get(P0).offset() : -1;
        }
    }

    private LaneKeeper<String, String> start(UnaryOperator<LaneKeeperBuilder<String, String>> settings) {
        return rig.start(builder -> settings.apply(builder.exactlyOnce("copy-1")
                .producer(() -> producer)
                .retry(RetryPolicy.never())
                .results(ExactlyOnceTest::result)
                .handler(delivery -> {
                    String value = String.valueOf(delivery.value());
                    if (value.startsWith("bad")) {
                        throw new IOException("planned");
                    }
                    delivery.emit(new ProducerRecord<>("out", value.getBytes(UTF_8)));
                })));
    }

    private static List<ProducerRecord<byte[], byte[]>> result(FinalResult<String> result) {
        String how =
                result.failure() == null ? "done" : result.failure().stage().label();
        return List.of(new ProducerRecord<>("results", (result.value() + " " + how).getBytes(UTF_8)));
    }

    @Test
    void whatIsSentAndTheOffsetAreInOneTransaction() {
        start(settings -> settings);
        rig.send("a=0");
        await().until(() -> producer.transactions.contains("[out, results] 1"));
        assertThat(producer.sent("out")).containsExactly("0");
        assertThat(producer.sent("results")).containsExactly("0 done");
        assertThat(producer.transactions).filteredOn(it -> it.endsWith("1")).hasSize(1);
        assertThat(rig.consumer.committedOffset(P0)).as("told by nobody else").isNegative();
    }

    @Test
    void aDeadLetterGoesWithItsOffset() {
        LaneKeeper<String, String> keeper = start(settings -> settings);
        rig.send("a=bad");
        await().until(() -> producer.transactions.contains("[dead, results] 1"));
        assertThat(producer.sent("dead")).containsExactly("bad");
        assertThat(producer.sent("results")).containsExactly("bad handler");
        assertThat(keeper.view().dead()).isEqualTo(1);
    }

    @Test
    void anOutputThatTheBrokerRefusesIsReplacedByADeadLetter() {
        LaneKeeper<String, String> keeper =
                start(settings -> settings.failures(FailurePolicy.of(OnFailure.STOP_PARTITION)));
        String large = "x".repeat(LONGEST + 1);
        rig.send("a=" + large, "a=1");
        await().until(() -> producer.toldOffset() == 2);
        assertThat(producer.sent("out")).containsExactly("1");
        assertThat(producer.sent("dead")).containsExactly(large);
        assertThat(producer.sent("results")).containsExactly(large + " publish", "1 done");
        assertThat(keeper.view().dead()).isEqualTo(1);
        assertThat(keeper.view().stoppedPartitions()).as("its lane has gone on").isEmpty();
    }

    @Test
    void ofABatchEachRecordGoesWithItsOffsetAndOneThatIsRefusedIsReplaced() {
        BatchPuppet batches = new BatchPuppet(rig);
        LaneKeeper<String, String> keeper =
                start(settings -> settings.batchHandler(batches.handler(), BatchLimit.records(9)));
        String large = "x".repeat(LONGEST + 1);
        batches.holding(keeper, "a=1", "a=" + large, "a=3").emit().finish();
        batches.run("1", large, "3").emit().finish();
        await().until(() -> producer.toldOffset() == 4);
        assertThat(producer.sent("out")).containsExactly("first", "1", "3");
        assertThat(producer.sent("dead")).containsExactly(large);
        assertThat(producer.sent("results"))
                .containsExactlyInAnyOrder("first done", "1 done", large + " publish", "3 done");
        assertThat(batches.batches()).hasSize(2);
    }

    @Test
    void aFailureMayStopThePartition() {
        LaneKeeper<String, String> keeper =
                start(settings -> settings.failures(FailurePolicy.of(OnFailure.STOP_PARTITION)));
        rig.send("a=0", "a=bad");
        await().until(() -> keeper.view().stoppedPartitions().size() == 1);
        await().until(() -> producer.toldOffset() == 1);
        assertThat(keeper.skipRecord(P0)).isTrue();
        await().until(() -> producer.toldOffset() == 2);
        assertThat(producer.sent("dead")).containsExactly("bad");
    }

    @Test
    void theLastTransactionIsPartOfTheClose() {
        LaneKeeper<String, String> keeper = start(settings -> settings.commitInterval(Duration.ofDays(1)));
        rig.send("a=0");
        await().until(() -> keeper.view().completed() == 1);
        assertThat(producer.commitCount()).isZero();
        keeper.close(Duration.ofSeconds(20));
        assertThat(producer.sent("out")).containsExactly("0");
        assertThat(producer.toldOffset()).isEqualTo(1);
    }

    /** The client would wait for a minute. */
    @Test
    void aCloseDoesNotWaitForABrokerThatDoesNotAnswer() {
        producer.answers = false;
        LaneKeeper<String, String> keeper = rig.builder()
                .exactlyOnce("copy-1")
                .producer(() -> producer)
                .handler(delivery -> {})
                .build();
        keeper.start();
        keeper.close(Duration.ofSeconds(20));
        assertThat(keeper.view().state()).isEqualTo(EngineState.CLOSED);
        assertThat(rig.consumer.subscribed()).isFalse();
        assertThat(rig.consumer.closed()).isTrue();
    }
}
