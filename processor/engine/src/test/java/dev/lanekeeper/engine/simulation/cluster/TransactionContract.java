package dev.lanekeeper.engine.simulation.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** What an engine relies on in transactions, besides. */
abstract class TransactionContract extends ClusterContract {
    /** A producer with a transactional id. */
    abstract Producer<byte[], byte[]> newProducer(String transactionalId);

    /** Does something that may block. */
    abstract void blocking(Runnable work);

    @Test
    void offsetsAreCommittedWithTheTransactionOnly() {
        TopicPartition p0 = begin(1);
        append(p0, "v");
        Member member = join("group");
        pollUntil(() -> member.offsets().size() == 1);
        ConsumerGroupMetadata group = member.consumer().groupMetadata();
        try (Producer<byte[], byte[]> producer = newProducer("id")) {
            blocking(() -> {
                producer.initTransactions();
                producer.beginTransaction();
                send(producer, p0);
                producer.sendOffsetsToTransaction(Map.of(p0, new OffsetAndMetadata(1)), group);
                producer.abortTransaction();
            });
            assertThat(committed(member, p0)).isNull();
            blocking(() -> {
                producer.beginTransaction();
                send(producer, p0);
                producer.sendOffsetsToTransaction(Map.of(p0, new OffsetAndMetadata(1)), group);
                producer.commitTransaction();
            });
            assertThat(committed(member, p0)).isEqualTo(new OffsetAndMetadata(1));
        }
    }

    @Test
    void theLatestProducerOfAnIdFencesTheOthers() {
        TopicPartition p0 = begin(1);
        try (Producer<byte[], byte[]> first = newProducer("id");
                Producer<byte[], byte[]> second = newProducer("id")) {
            blocking(() -> {
                first.initTransactions();
                first.beginTransaction();
                send(first, p0);
                second.initTransactions();
                assertThatThrownBy(first::commitTransaction).isInstanceOf(KafkaException.class);
            });
        }
    }

    @Test
    void offsetsOfAnEarlierGenerationAreRefused() {
        TopicPartition p0 = begin(1);
        Member first = join("group");
        pollUntil(() -> first.owned().size() == 1);
        ConsumerGroupMetadata before = first.consumer().groupMetadata();
        Member second = join("group");
        pollUntil(() -> first.consumer().groupMetadata().generationId() > before.generationId()
                && first.owned().size() + second.owned().size() == 1);
        try (Producer<byte[], byte[]> producer = newProducer("id")) {
            blocking(() -> {
                producer.initTransactions();
                producer.beginTransaction();
                assertThatThrownBy(
                                () -> producer.sendOffsetsToTransaction(Map.of(p0, new OffsetAndMetadata(1)), before))
                        .isInstanceOf(CommitFailedException.class);
                producer.abortTransaction();
            });
        }
    }

    private static void send(Producer<byte[], byte[]> producer, TopicPartition partition) {
        var unused = producer.send(
                new ProducerRecord<>(partition.topic(), 0, null, "output".getBytes(UTF_8)), (metadata, failure) -> {});
        producer.flush();
    }
}
