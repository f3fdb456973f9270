package dev.lanekeeper.demo;

import dev.lanekeeper.app.config.LanekeeperConfig;
import dev.lanekeeper.message.MessageCodec;
import dev.lanekeeper.message.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Follows the topic of outcomes. Confined to the test's thread. */
final class OutcomeLog implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(50);

    private final MessageCodec codec = new MessageCodec();
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<Outcome> outcomes = new ArrayList<>();
    private final Set<String> jobs = new HashSet<>();

    OutcomeLog(LanekeeperConfig config) {
        consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        config.consumerSettings().get("bootstrap.servers"),
                        "enable.auto.commit",
                        false),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> partitions = consumer.partitionsFor(config.outcomesTopic()).stream()
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    private void read() {
        for (var records = consumer.poll(POLL); !records.isEmpty(); records = consumer.poll(POLL)) {
            records.forEach(record -> {
                Outcome outcome = codec.outcome(record.value());
                outcomes.add(outcome);
                jobs.add(outcome.partition() + ":" + outcome.offset());
            });
        }
    }

    /** Outcomes so far, repeated ones included. */
    long written() {
        read();
        return outcomes.size();
    }

    /** Jobs that have one. */
    long jobs() {
        read();
        return jobs.size();
    }

    /** As they lie in the topic: those of a customer in order. */
    List<Outcome> all() {
        read();
        return outcomes;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
