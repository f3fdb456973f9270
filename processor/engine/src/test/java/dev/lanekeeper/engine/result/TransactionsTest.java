package dev.lanekeeper.engine.result;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.lanekeeper.testkit.SteppingExecutor;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TransactionsTest {
    private static final TopicPartition SOURCE = new TopicPartition("jobs", 0);
    private static final ConsumerGroupMetadata GROUP = new MockConsumer<byte[], byte[]>("earliest").groupMetadata();

    private final Unsteady producer = new Unsteady();
    private final SteppingExecutor thread = new SteppingExecutor();
    private final Transactions transactions = new Transactions(producer, thread, Transactions.Waiting.BLOCKING);
    private boolean owned = true;

    @BeforeEach
    void begin() {
        transactions.begin();
    }

    @Test
    void outputsAndOffsetsAreCommittedTogether() {
        CompletableFuture<Transactions.End> end = commit(7, "a", "b");
        assertThat(end).as("the caller waits for nothing").isNotDone();
        thread.runAll();
        assertThat(end).isCompletedWithValue(new Transactions.Committed());
        assertThat(committed()).containsExactly("a", "b");
        assertThat(producer.consumerGroupOffsetsHistory())
                .containsExactly(Map.of(GROUP.groupId(), Map.of(SOURCE, new OffsetAndMetadata(7))));
    }

    @Test
    void anOutputThatFailsLeavesNothingBehindAndTheNextTransactionGoesThrough() {
        producer.failNext = new TimeoutException("no answer");
        CompletableFuture<Transactions.End> end = commit(7, "a", "b");
        thread.runAll();
        assertThat(aborted(end).cause()).isInstanceOf(TimeoutException.class);
        assertThat(aborted(end).refused()).isNull();
        assertThat(committed()).isEmpty();
        CompletableFuture<Transactions.End> again = commit(7, "a", "b");
        thread.runAll();
        assertThat(again).isCompletedWithValue(new Transactions.Committed());
        assertThat(committed()).containsExactly("a", "b");
        assertThat(producer.consumerGroupOffsetsHistory()).hasSize(1);
    }

    @Test
    void anOutputThatTheBrokerWillNeverTakeIsNamed() {
        producer.failNext = new RecordTooLargeException("too large");
        CompletableFuture<Transactions.End> end = commit(7, "large", "b");
        thread.runAll();
        ProducerRecord<byte[], byte[]> refused = aborted(end).refused();
        assertThat(refused).isNotNull();
        assertThat(text(refused)).isEqualTo("large");
        assertThat(committed()).isEmpty();
    }

    /** A rebalance has begun since the offsets were read: the broker refuses them, and the outputs must go too. */
    @Test
    void offsetsThatAreRefusedTakeTheOutputsWithThem() {
        producer.sendOffsetsToTransactionException = new CommitFailedException("the generation is an old one");
        CompletableFuture<Transactions.End> end = commit(7, "a");
        thread.runAll();
        assertThat(aborted(end).cause()).isInstanceOf(CommitFailedException.class);
        assertThat(committed()).isEmpty();
    }

    /** It outlived the wait of a revocation: the next owner has begun, and the group may not refuse what comes late. */
    @Test
    void offsetsOfAPartitionThatHasGoneAreNotSent() {
        owned = false;
        CompletableFuture<Transactions.End> end = commit(7, "a");
        thread.runAll();
        assertThat(aborted(end).cause()).isInstanceOf(CommitFailedException.class);
        assertThat(committed()).isEmpty();
        assertThat(producer.consumerGroupOffsetsHistory()).isEmpty();
    }

    /** The broker may take its time for the offsets: from when it has them the next owner waits for the end, not before. */
    @Test
    void offsetsOfAPartitionThatGoesWhileTheyAreSentAreNotCommitted() {
        producer.whileSendingOffsets = () -> owned = false;
        CompletableFuture<Transactions.End> end = commit(7, "a");
        thread.runAll();
        assertThat(aborted(end).cause()).isInstanceOf(CommitFailedException.class);
        assertThat(committed()).isEmpty();
        assertThat(producer.consumerGroupOffsetsHistory()).isEmpty();
    }

    /** Edge case 54: whoever was fenced must not believe that anything of it counts. */
    @Test
    void aFencedProducerCannotGoOn() {
        producer.fenceProducer();
        CompletableFuture<Transactions.End> end = commit(7, "a");
        thread.runAll();
        assertThatThrownBy(end::join).hasCauseInstanceOf(ProducerFencedException.class);
    }

    /** Edge case 53: nobody may guess how it ended. */
    @Test
    void anUnknownEndIsAskedForUntilItIsKnown() {
        producer.commitsUnanswered = 3;
        CompletableFuture<Transactions.End> end = commit(7, "a");
        thread.runAll();
        assertThat(end).isCompletedWithValue(new Transactions.Committed());
        assertThat(producer.commitsUnanswered).isZero();
        assertThat(committed()).containsExactly("a");
    }

    @Test
    void onceClosedAnUnknownEndStaysUnknown() {
        producer.commitsUnanswered = Integer.MAX_VALUE;
        CompletableFuture<Transactions.End> end = commit(7, "a");
        transactions.close();
        thread.runAll();
        assertThatThrownBy(end::join).hasCauseInstanceOf(TimeoutException.class);
    }

    private CompletableFuture<Transactions.End> commit(long offset, String... outputs) {
        List<ProducerRecord<byte[], byte[]>> records = Arrays.stream(outputs)
                .map(output -> new ProducerRecord<byte[], byte[]>("out", output.getBytes(UTF_8)))
                .toList();
        return transactions.commit(
                records, Map.ofEntries(entry(SOURCE, new OffsetAndMetadata(offset))), GROUP, () -> owned);
    }

    private static Transactions.Aborted aborted(CompletableFuture<Transactions.End> end) {
        return (Transactions.Aborted) end.join();
    }

    private List<String> committed() {
        return producer.history().stream().map(TransactionsTest::text).toList();
    }

    private static String text(ProducerRecord<byte[], byte[]> record) {
        return new String(record.value(), UTF_8);
    }

    /** Kafka's mock, with a broker that sometimes doesn't answer. */
    private static final class Unsteady extends MockProducer<byte[], byte[]> {
        private @Nullable RuntimeException failNext;
        private int commitsUnanswered;
        private Runnable whileSendingOffsets = () -> {};

        Unsteady() {
            super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
        }

        @Override
        public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
            RuntimeException failure = failNext;
            if (failure == null) {
                return super.send(record, callback);
            }
            failNext = null;
            callback.onCompletion(null, failure);
            return CompletableFuture.failedFuture(failure);
        }

        @Override
        public synchronized void sendOffsetsToTransaction(
                Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
            whileSendingOffsets.run();
            super.sendOffsetsToTransaction(offsets, group);
        }

        @Override
        public void commitTransaction() throws ProducerFencedException {
            if (commitsUnanswered > 0) {
                commitsUnanswered--;
                throw new TimeoutException("no answer");
            }
            super.commitTransaction();
        }
    }
}
