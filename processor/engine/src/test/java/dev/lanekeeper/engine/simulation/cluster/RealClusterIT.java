package dev.lanekeeper.engine.simulation.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.lanekeeper.testkit.broker.KafkaFixture;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the cluster in memory is held to is what a real one does. */
@Timeout(120)
class RealClusterIT extends TransactionContract {
    @RegisterExtension
    static final KafkaFixture KAFKA = new KafkaFixture();

    @Override
    String newTopic(int partitions) {
        String name = KAFKA.uniqueName("contract");
        KAFKA.createTopic(name, partitions);
        return name;
    }

    @Override
    void append(TopicPartition partition, String value) {
        KAFKA.produce(partition.topic(), List.of(record(partition, value)));
    }

    @Override
    void appendAborted(TopicPartition partition, String value) {
        try (Producer<byte[], byte[]> producer = newProducer(KAFKA.uniqueName("contract"))) {
            producer.initTransactions();
            producer.beginTransaction();
            Future<RecordMetadata> unused = producer.send(record(partition, value));
            producer.flush();
            producer.abortTransaction();
        }
    }

    @Override
    Producer<byte[], byte[]> newProducer(String transactionalId) {
        Map<String, Object> settings = KAFKA.clientSettings();
        settings.put("transactional.id", transactionalId);
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    void blocking(Runnable work) {
        work.run();
    }

    private static ProducerRecord<byte[], byte[]> record(TopicPartition partition, String value) {
        return new ProducerRecord<>(partition.topic(), partition.partition(), null, value.getBytes(UTF_8));
    }

    @Override
    long end(TopicPartition partition) {
        return KAFKA.endOffsets(partition.topic()).getOrDefault(partition, -1L);
    }

    @Override
    Consumer<byte[], byte[]> newConsumer(String group) {
        return newConsumer(
                group,
                Map.of(
                        "group.protocol",
                        "classic",
                        "partition.assignment.strategy",
                        RangeAssignor.class.getName(),
                        "heartbeat.interval.ms",
                        200));
    }

    @Override
    Consumer<byte[], byte[]> newReconcilingConsumer(String group) {
        return newConsumer(group, Map.of("group.protocol", "consumer"));
    }

    private static Consumer<byte[], byte[]> newConsumer(String group, Map<String, ?> protocol) {
        Map<String, Object> settings = KAFKA.clientSettings();
        settings.putAll(protocol);
        settings.put("group.id", group);
        settings.put("max.poll.interval.ms", 2_000); // who does not poll for so long is out
        settings.put("auto.offset.reset", "earliest");
        settings.put("enable.auto.commit", false);
        settings.put("isolation.level", "read_committed");
        return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @Override
    void passTime() {
        Thread.onSpinWait(); // polling takes its time
    }

    @Override
    long nanoTime() {
        return System.nanoTime();
    }
}
