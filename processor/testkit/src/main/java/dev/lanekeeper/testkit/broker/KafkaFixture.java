package dev.lanekeeper.testkit.broker;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;

/**
 * A Kafka for a test class: {@code @RegisterExtension static final KafkaFixture KAFKA = new KafkaFixture();}.
 * Thread-safe.
 *
 * <p>All test classes of a JVM share one, so names must be their own: see {@link #uniqueName}. It is the broker that
 * {@code -Dkafka.bootstrap.servers} names, else one in a container where Docker answers and Testcontainers is on the
 * class path, else one embedded in the JVM. {@code -Dlanekeeper.test.broker=embedded} or {@code container} insists.
 *
 * <p>Methods that wait give up after 30 s, or after the timeout they are given, with an error that says for what.
 */
public final class KafkaFixture implements BeforeAllCallback {
    private static final Namespace NAMESPACE = Namespace.create(KafkaFixture.class);

    private volatile @Nullable KafkaSession session;

    @Override
    public void beforeAll(ExtensionContext context) {
        session = context.getStore(StoreScope.LAUNCHER_SESSION, NAMESPACE)
                .computeIfAbsent(
                        KafkaSession.class, unused -> new KafkaSession(BrokerChoice.open()), KafkaSession.class);
    }

    private KafkaSession session() {
        KafkaSession open = session;
        if (open == null) {
            throw new IllegalStateException("KafkaFixture must be a static field annotated with @RegisterExtension");
        }
        return open;
    }

    /** What clients set as {@code bootstrap.servers}. */
    public String bootstrapServers() {
        return session().bootstrapServers();
    }

    /** The settings any client needs; a new map, to add to. */
    public Map<String, Object> clientSettings() {
        return session().clientSettings();
    }

    /** A client to administer the broker with; shared, not to be closed. */
    public Admin admin() {
        return session().admin();
    }

    /** {@code prefix} with an ending that no other test has: for topics, groups and transactional ids. */
    public String uniqueName(String prefix) {
        long ending = ThreadLocalRandom.current().nextLong(Long.MAX_VALUE);
        return prefix + "-" + Long.toString(ending, Character.MAX_RADIX).toLowerCase(Locale.ROOT);
    }

    /** Creates a topic with the broker's default settings; see {@link #createTopic(String, int, Map)}. */
    public void createTopic(String name, int partitions) {
        createTopic(name, partitions, Map.of());
    }

    /** Creates a topic and waits until every partition can be written to. */
    public void createTopic(String name, int partitions, Map<String, String> configs) {
        session().createTopic(name, partitions, configs);
    }

    /** Writes records to {@code topic}, as {@link #produce(Collection)}; one that names another topic is an error. */
    public List<RecordMetadata> produce(String topic, List<ProducerRecord<byte[], byte[]>> records) {
        for (ProducerRecord<byte[], byte[]> record : records) {
            if (!record.topic().equals(topic)) {
                throw new IllegalArgumentException("a record for " + topic + " names the topic " + record.topic());
            }
        }
        return produce(records);
    }

    /** Writes records in the order given and waits until all are acknowledged; answers where each went. */
    public List<RecordMetadata> produce(Collection<ProducerRecord<byte[], byte[]>> records) {
        return session().produce(records);
    }

    /** Reads committed records from the beginning; see {@link #readAll(String, int, Duration, IsolationLevel)}. */
    public List<ConsumerRecord<byte[], byte[]>> readAll(String topic, int untilCount, Duration timeout) {
        return readAll(topic, untilCount, timeout, IsolationLevel.READ_COMMITTED);
    }

    /**
     * Reads a topic from the beginning until there are {@code untilCount} records; may answer more, if they come in the
     * same batch. Records of one partition are in order.
     *
     * @throws AssertionError if there are fewer within {@code timeout}
     */
    public List<ConsumerRecord<byte[], byte[]>> readAll(
            String topic, int untilCount, Duration timeout, IsolationLevel isolation) {
        try (TopicReader reader = reader(topic, isolation)) {
            return reader.untilCount(untilCount, timeout);
        }
    }

    /** Reads all that is in a topic now, to say what is not there; of open transactions only if uncommitted is asked. */
    public List<ConsumerRecord<byte[], byte[]>> readToEnd(String topic, IsolationLevel isolation) {
        try (TopicReader reader = reader(topic, isolation)) {
            return reader.untilEnd(KafkaSession.PATIENCE);
        }
    }

    private TopicReader reader(String topic, IsolationLevel isolation) {
        return new TopicReader(clientSettings(), session().partitions(topic), isolation);
    }

    /** What a group has committed, metadata included; partitions it never committed are absent. */
    public Map<TopicPartition, OffsetAndMetadata> committedOffsets(String group) {
        return session().committedOffsets(group);
    }

    /** The offset after the last record of each partition, transactions' markers and open transactions included. */
    public Map<TopicPartition, Long> endOffsets(String topic) {
        return session().offsets(topic, OffsetSpec.latest());
    }

    /** How many offsets of a topic a group has not committed yet; all of a partition it never committed. */
    public long lag(String group, String topic) {
        Map<TopicPartition, OffsetAndMetadata> committed = committedOffsets(group);
        Map<TopicPartition, Long> begins = session().offsets(topic, OffsetSpec.earliest());
        long lag = 0;
        for (Map.Entry<TopicPartition, Long> end : endOffsets(topic).entrySet()) {
            OffsetAndMetadata next = committed.get(end.getKey());
            lag += end.getValue() - (next != null ? next.offset() : begins.getOrDefault(end.getKey(), 0L));
        }
        return lag;
    }
}
