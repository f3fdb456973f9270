package dev.lanekeeper.engine.simulation.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * The log of one partition: records, offsets that hold none, and leader epochs. A new leader may lack the end of the log; what
 * was there is gone, and other records take those offsets.
 */
public final class PartitionLog {
    private final TopicPartition partition;
    private final NavigableMap<Long, ConsumerRecord<byte[], byte[]>> records = new TreeMap<>();

    /** Where each leader epoch began. */
    private final NavigableMap<Integer, Long> epochStarts = new TreeMap<>(Map.of(0, 0L));

    private long end;

    PartitionLog(TopicPartition partition) {
        this.partition = partition;
    }

    /** Adds a record; returns its offset. */
    public long append(byte @Nullable [] key, byte @Nullable [] value) {
        long offset = end++;
        records.put(
                offset,
                new ConsumerRecord<>(
                        partition.topic(),
                        partition.partition(),
                        offset,
                        1_000 + offset,
                        TimestampType.CREATE_TIME,
                        key == null ? -1 : key.length,
                        value == null ? -1 : value.length,
                        key,
                        value,
                        new RecordHeaders(),
                        Optional.of(leaderEpoch())));
        return offset;
    }

    /** Offsets that no consumer will ever get a record for: markers of transactions, aborted records, compacted ones. */
    public void appendGap(int offsets) {
        end += offsets;
    }

    /** Another leader, whose log ends at {@code offset}. */
    public void truncate(long offset) {
        records.tailMap(offset, true).clear();
        end = Math.min(end, offset);
        int epoch = leaderEpoch() + 1;
        epochStarts.values().removeIf(start -> start >= end); // nothing of them is left
        epochStarts.put(epoch, end);
    }

    public int leaderEpoch() {
        return epochStarts.lastKey();
    }

    /** Where the next record will go. */
    public long end() {
        return end;
    }

    public long size() {
        return records.size();
    }

    /** Where a log that has nothing beyond {@code leaderEpoch} parts from this one. */
    long endOfEpoch(int leaderEpoch) {
        Map.Entry<Integer, Long> next = epochStarts.higherEntry(leaderEpoch);
        return next == null ? end : next.getValue();
    }

    /** Where a consumer goes on that wants to go on at {@code wanted}. */
    Position validated(Position wanted) {
        if (wanted.leaderEpoch() >= 0) {
            long diverges = endOfEpoch(wanted.leaderEpoch());
            return diverges < wanted.offset() ? new Position(diverges, wanted.leaderEpoch()) : wanted;
        }
        return wanted.offset() > end ? Position.BEGINNING : wanted; // out of range: to the earliest
    }

    /** The records from {@code offset} on, at most so many. */
    List<ConsumerRecord<byte[], byte[]>> from(long offset, int most) {
        List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record :
                records.tailMap(offset, true).values()) {
            if (found.size() == most) {
                break;
            }
            found.add(record);
        }
        return found;
    }

    /** Where a consumer is that got {@code batch} when it asked for so many. */
    Position after(List<ConsumerRecord<byte[], byte[]>> batch, int most) {
        long next = batch.size() < most ? end : batch.get(most - 1).offset() + 1;
        return new Position(next, epochAt(next - 1));
    }

    /** The leader epoch in which an offset was written, whether it holds a record or not. */
    private int epochAt(long offset) {
        int epoch = 0;
        for (Map.Entry<Integer, Long> start : epochStarts.entrySet()) {
            if (start.getValue() <= offset) {
                epoch = start.getKey();
            }
        }
        return epoch;
    }

    /**
     * Where a consumer reads on.
     *
     * @param leaderEpoch of what it read last; negative if unknown
     */
    record Position(long offset, int leaderEpoch) {
        static final Position BEGINNING = new Position(0, -1);
    }
}
