package dev.lanekeeper.testkit.broker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads one topic from its beginning, outside any group. Confined to the calling thread. */
final class TopicReader implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(50);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<TopicPartition> partitions;
    private final List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();

    TopicReader(Map<String, Object> settings, List<TopicPartition> partitions, IsolationLevel isolation) {
        settings.put("isolation.level", isolation.toString());
        settings.put("enable.auto.commit", false);
        this.consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.partitions = partitions;
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    List<ConsumerRecord<byte[], byte[]>> untilCount(int count, Duration timeout) {
        return until(() -> found.size() >= count, timeout, "at least " + count + " records");
    }

    List<ConsumerRecord<byte[], byte[]>> untilEnd(Duration timeout) {
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, timeout);
        return until(() -> hasReached(ends), timeout, "all up to " + ends);
    }

    private boolean hasReached(Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }

    private List<ConsumerRecord<byte[], byte[]>> until(BooleanSupplier enough, Duration timeout, String wanted) {
        long begin = System.nanoTime();
        while (!enough.getAsBoolean()) {
            if (System.nanoTime() - begin > timeout.toNanos()) {
                throw new AssertionError("expected " + wanted + " in " + partitions + ", but within " + timeout
                        + " there were only " + found.size());
            }
            consumer.poll(POLL).forEach(found::add);
        }
        return found;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
