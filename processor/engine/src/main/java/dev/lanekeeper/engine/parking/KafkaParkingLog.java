package dev.lanekeeper.engine.parking;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/** Reads the parking topic with a consumer for each call, which belongs to no group. Thread-safe. */
public final class KafkaParkingLog implements ParkingLog {
    private static final Duration POLL = Duration.ofMillis(200);

    private final String topic;
    private final Supplier<? extends Consumer<byte[], byte[]>> consumers;

    /** Reads {@code topic}; {@code consumers} makes a consumer that begins where it is told and commits nothing. */
    public KafkaParkingLog(String topic, Supplier<? extends Consumer<byte[], byte[]>> consumers) {
        this.topic = topic;
        this.consumers = consumers;
    }

    @Override
    public int partitions() {
        try (Consumer<byte[], byte[]> consumer = consumers.get()) {
            List<PartitionInfo> found = consumer.partitionsFor(topic);
            if (found == null || found.isEmpty()) {
                throw new IllegalStateException("the topic for parked records does not exist: " + topic);
            }
            return found.size();
        }
    }

    @Override
    public long read(int partition, long from, Predicate<? super ConsumerRecord<byte[], byte[]>> sink) {
        TopicPartition read = new TopicPartition(topic, partition);
        try (Consumer<byte[], byte[]> consumer = consumers.get()) {
            consumer.assign(List.of(read));
            long begin = consumer.beginningOffsets(List.of(read)).getOrDefault(read, 0L);
            consumer.seek(read, Math.max(from, begin));
            Map<TopicPartition, Long> ends = consumer.endOffsets(List.of(read));
            long end = ends.getOrDefault(read, 0L);
            while (consumer.position(read) < end) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL).records(read)) {
                    if (!sink.test(record)) {
                        return record.offset() + 1;
                    }
                }
            }
            return Math.max(from, end);
        }
    }
}
