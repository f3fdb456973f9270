package dev.lanekeeper.testkit.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class KafkaFixtureIT {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @RegisterExtension
    static final KafkaFixture KAFKA = new KafkaFixture();

    @Test
    void aNewTopicTakesRecordsOfAnIdempotentProducerAtOnce() {
        for (int round = 0; round < 5; round++) {
            String topic = KAFKA.uniqueName("new");
            KAFKA.createTopic(topic, 12);
            KAFKA.produce(topic, records(topic, 1_000));
            assertThat(KAFKA.readAll(topic, 1_000, PATIENCE)).hasSize(1_000);
        }
    }

    @Test
    void topicsHaveTheSettingsAskedFor() throws Exception {
        String topic = KAFKA.uniqueName("compacted");
        KAFKA.createTopic(topic, 1, Map.of("cleanup.policy", "compact"));
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        Map<ConfigResource, Config> configs =
                KAFKA.admin().describeConfigs(List.of(resource)).all().get();
        assertThat(configs.values())
                .extracting(config -> config.get("cleanup.policy").value())
                .containsExactly("compact");
    }

    @Test
    void anAbortedTransactionIsReadOnlyUncommitted() {
        String topic = topicOfOnePartition();
        try (KafkaProducer<byte[], byte[]> producer = transactional()) {
            producer.beginTransaction();
            send(producer, topic, 2);
            producer.commitTransaction();
            producer.beginTransaction();
            send(producer, topic, 3);
            producer.flush(); // what was never sent needs no abort
            producer.abortTransaction();
        }
        assertThat(KAFKA.readToEnd(topic, IsolationLevel.READ_COMMITTED)).hasSize(2);
        assertThat(KAFKA.readToEnd(topic, IsolationLevel.READ_UNCOMMITTED)).hasSize(5);
        assertThat(KAFKA.readAll(topic, 5, PATIENCE, IsolationLevel.READ_UNCOMMITTED))
                .hasSize(5);
    }

    @Test
    void tooFewRecordsAreAFailureThatSaysHowMany() {
        String topic = topicOfOnePartition();
        KAFKA.produce(topic, records(topic, 3));
        assertThatThrownBy(() -> KAFKA.readAll(topic, 4, Duration.ofMillis(300)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("at least 4 records")
                .hasMessageContaining("only 3");
    }

    @Test
    void committedOffsetsAndLagAreWhatTheGroupLeft() throws Exception {
        String topic = KAFKA.uniqueName("lag");
        String group = KAFKA.uniqueName("group");
        KAFKA.createTopic(topic, 2);
        TopicPartition first = new TopicPartition(topic, 0);
        TopicPartition second = new TopicPartition(topic, 1);
        KAFKA.produce(List.of(
                new ProducerRecord<>(topic, 0, null, new byte[1]),
                new ProducerRecord<>(topic, 0, null, new byte[1]),
                new ProducerRecord<>(topic, 1, null, new byte[1])));
        assertThat(KAFKA.endOffsets(topic)).isEqualTo(Map.of(first, 2L, second, 1L));
        assertThat(KAFKA.lag(group, topic)).isEqualTo(3);

        OffsetAndMetadata committed = new OffsetAndMetadata(1, "note");
        KAFKA.admin()
                .alterConsumerGroupOffsets(group, Map.of(first, committed))
                .all()
                .get();
        assertThat(KAFKA.committedOffsets(group)).isEqualTo(Map.of(first, committed));
        assertThat(KAFKA.lag(group, topic)).isEqualTo(2);
    }

    @Test
    void aRecordOfAnotherTopicIsRefused() {
        assertThatThrownBy(() -> KAFKA.produce("here", records("there", 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("here")
                .hasMessageContaining("there");
    }

    @Test
    void anUnknownTopicIsNamed() {
        assertThatThrownBy(() -> KAFKA.endOffsets("nowhere"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("nowhere");
    }

    private static String topicOfOnePartition() {
        String topic = KAFKA.uniqueName("one");
        KAFKA.createTopic(topic, 1);
        return topic;
    }

    private static void send(KafkaProducer<byte[], byte[]> producer, String topic, int count) {
        List<Future<RecordMetadata>> sent =
                records(topic, count).stream().map(producer::send).toList();
        assertThat(sent).hasSize(count);
    }

    private static KafkaProducer<byte[], byte[]> transactional() {
        Map<String, Object> settings = KAFKA.clientSettings();
        settings.put("transactional.id", KAFKA.uniqueName("tx"));
        KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        producer.initTransactions();
        return producer;
    }

    private static List<ProducerRecord<byte[], byte[]>> records(String topic, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Integer.toString(i).getBytes(UTF_8))
                .map(bytes -> new ProducerRecord<>(topic, bytes, bytes))
                .toList();
    }
}
