package dev.lanekeeper.engine.intake;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/** The log behind a {@link ScriptedConsumer}, which guards it. */
final class ScriptedLog {
    private final Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> records = new HashMap<>();
    private final Map<TopicPartition, Long> ends = new HashMap<>();
    private int leaderEpoch = 7;

    long append(TopicPartition partition, byte @Nullable [] key, byte @Nullable [] value) {
        long offset = end(partition);
        ends.put(partition, offset + 1);
        records.computeIfAbsent(partition, unused -> new ArrayList<>())
                .add(record(partition, offset, leaderEpoch, key, value));
        return offset;
    }

    /** A record as there may be in such a log. */
    static ConsumerRecord<byte[], byte[]> record(TopicPartition partition, long offset) {
        return record(partition, offset, 7, null, null);
    }

    private static ConsumerRecord<byte[], byte[]> record(
            TopicPartition partition, long offset, int leaderEpoch, byte @Nullable [] key, byte @Nullable [] value) {
        return new ConsumerRecord<>(
                partition.topic(),
                partition.partition(),
                offset,
                1_000 + offset,
                TimestampType.CREATE_TIME,
                key == null ? -1 : key.length,
                value == null ? -1 : value.length,
                key,
                value,
                new RecordHeaders().add("original", "kept".getBytes(UTF_8)),
                Optional.of(leaderEpoch));
    }

    void appendGap(TopicPartition partition, int offsets) {
        ends.merge(partition, (long) offsets, Long::sum);
    }

    /** Takes away what is at {@code end} and beyond; what is appended from now on has another leader epoch. */
    void truncate(TopicPartition partition, long end, int nextLeaderEpoch) {
        records.getOrDefault(partition, new ArrayList<>()).removeIf(record -> record.offset() >= end);
        ends.put(partition, end);
        leaderEpoch = nextLeaderEpoch;
    }

    /** As compaction does. */
    void remove(TopicPartition partition, long offset) {
        records.getOrDefault(partition, new ArrayList<>()).removeIf(record -> record.offset() == offset);
    }

    /** Where the next record would go. */
    long end(TopicPartition partition) {
        return ends.getOrDefault(partition, 0L);
    }

    /** The records from {@code offset} on, at most so many. */
    List<ConsumerRecord<byte[], byte[]>> from(TopicPartition partition, long offset, int most) {
        return records.getOrDefault(partition, List.of()).stream()
                .filter(record -> record.offset() >= offset)
                .limit(most)
                .toList();
    }

    /** Where a consumer is that got {@code batch} when it asked for so many. */
    long positionAfter(TopicPartition partition, List<ConsumerRecord<byte[], byte[]>> batch, int most) {
        return batch.size() < most ? end(partition) : batch.get(most - 1).offset() + 1;
    }
}
