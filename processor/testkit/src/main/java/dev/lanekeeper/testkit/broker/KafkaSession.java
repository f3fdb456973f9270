package dev.lanekeeper.testkit.broker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A broker and the clients with which all test classes of a JVM look at it. Thread-safe. */
final class KafkaSession implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private final TestBroker broker;
    private final Admin admin;
    private final KafkaProducer<byte[], byte[]> producer;

    KafkaSession(TestBroker broker) {
        this.broker = broker;
        Map<String, Object> settings = clientSettings();
        settings.put("reconnect.backoff.max.ms", 200);
        settings.put("retry.backoff.ms", 20);
        this.admin = Admin.create(settings);
        settings.put("request.timeout.ms", 10_000);
        settings.put("delivery.timeout.ms", (int) PATIENCE.toMillis());
        this.producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    String bootstrapServers() {
        return broker.bootstrapServers();
    }

    Admin admin() {
        return admin;
    }

    Map<String, Object> clientSettings() {
        return new HashMap<>(Map.of("bootstrap.servers", broker.bootstrapServers()));
    }

    void createTopic(String name, int partitions, Map<String, String> configs) {
        NewTopic topic = new NewTopic(name, Optional.of(partitions), Optional.empty()).configs(configs);
        await(admin.createTopics(List.of(topic)).all(), "creating topic " + name);
        awaitLeaders(name, partitions);
    }

    /**
     * Waits until each partition's leader answers. A topic counts as created before that, and an idempotent producer
     * that is too early can end in an endless out-of-order error (KAFKA-15591).
     */
    private void awaitLeaders(String topic, int partitions) {
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        for (int partition = 0; partition < partitions; partition++) {
            latest.put(new TopicPartition(topic, partition), OffsetSpec.latest());
        }
        long begin = System.nanoTime();
        while (true) {
            try {
                admin.listOffsets(latest).all().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
                return;
            } catch (ExecutionException e) {
                // the client itself does not always ask again about a topic that a broker has not heard of yet
                if (!(e.getCause() instanceof RetriableException) || System.nanoTime() - begin > PATIENCE.toNanos()) {
                    throw new IllegalStateException("topic " + topic + " was created but does not answer", e);
                }
                Thread.onSpinWait(); // each question is a round trip to the broker, so this does not spin
            } catch (TimeoutException e) {
                throw new IllegalStateException("topic " + topic + " did not answer within " + PATIENCE, e);
            } catch (InterruptedException e) {
                throw interrupted("waiting for topic " + topic, e);
            }
        }
    }

    List<RecordMetadata> produce(Collection<ProducerRecord<byte[], byte[]>> records) {
        List<Future<RecordMetadata>> sent = new ArrayList<>(records.size());
        for (ProducerRecord<byte[], byte[]> record : records) {
            sent.add(producer.send(record));
        }
        producer.flush();
        List<RecordMetadata> written = new ArrayList<>(sent.size());
        for (Future<RecordMetadata> acknowledgement : sent) {
            written.add(await(acknowledgement, "writing record " + written.size() + " of " + sent.size()));
        }
        return written;
    }

    List<TopicPartition> partitions(String topic) {
        TopicDescription description = await(
                        admin.describeTopics(List.of(topic)).allTopicNames(), "describing topic " + topic)
                .get(topic);
        if (description == null) {
            throw new IllegalStateException("no description of topic " + topic);
        }
        return description.partitions().stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .toList();
    }

    Map<TopicPartition, Long> offsets(String topic, OffsetSpec spec) {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        partitions(topic).forEach(partition -> asked.put(partition, spec));
        Map<TopicPartition, Long> found = new HashMap<>();
        for (Map.Entry<TopicPartition, ListOffsetsResultInfo> entry : await(
                        admin.listOffsets(asked).all(), "asking for offsets of " + topic)
                .entrySet()) {
            found.put(entry.getKey(), entry.getValue().offset());
        }
        return found;
    }

    Map<TopicPartition, OffsetAndMetadata> committedOffsets(String group) {
        Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>(
                await(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata(), "asking for " + group));
        committed.values().removeIf(offset -> offset == null);
        return committed;
    }

    private static <T> T await(Future<T> future, String what) {
        try {
            return future.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException(what + " failed: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException(what + " took longer than " + PATIENCE, e);
        } catch (InterruptedException e) {
            throw interrupted(what, e);
        }
    }

    private static IllegalStateException interrupted(String what, InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted while " + what, cause);
    }

    @Override
    public void close() {
        producer.close(PATIENCE);
        admin.close(PATIENCE);
        broker.close();
    }
}
