package dev.lanekeeper.streams;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/** How far the audit has read, and since when nothing new came. Confined to the thread that runs the audit. */
final class Reading {
    private final Map<TopicPartition, Long> starts;
    private final Map<TopicPartition, Long> positions;
    private Map<TopicPartition, Long> ends;
    private long changedNanos;

    Reading(Map<TopicPartition, Long> starts, long nowNanos) {
        this.starts = Map.copyOf(starts);
        positions = new HashMap<>(starts);
        ends = Map.copyOf(starts);
        changedNanos = nowNanos;
    }

    /** Where the audit is and where the topics end; a position never goes back. */
    void update(Map<TopicPartition, Long> read, Map<TopicPartition, Long> newEnds, long nowNanos) {
        boolean changed = !ends.equals(newEnds);
        ends = Map.copyOf(newEnds);
        for (Map.Entry<TopicPartition, Long> position : read.entrySet()) {
            Long known = positions.get(position.getKey());
            if (known != null && position.getValue() > known) {
                positions.put(position.getKey(), position.getValue());
                changed = true;
            }
        }
        if (changed) {
            changedNanos = nowNanos;
        }
    }

    Duration idle(long nowNanos) {
        return Duration.ofNanos(nowNanos - changedNanos);
    }

    boolean atEnd() {
        return behind().isEmpty();
    }

    /** The partitions with something left to read, and how many offsets. */
    Map<String, Long> behind() {
        Map<String, Long> behind = new TreeMap<>();
        ends.forEach((partition, end) -> {
            long left = end - positions.getOrDefault(partition, 0L);
            if (left > 0) {
                behind.put(partition.toString(), left);
            }
        });
        return behind;
    }

    long read() {
        return sum(positions) - sum(starts);
    }

    long total() {
        return Math.max(read(), sum(ends) - sum(starts));
    }

    private static long sum(Map<TopicPartition, Long> offsets) {
        return offsets.values().stream().mapToLong(Long::longValue).sum();
    }
}
