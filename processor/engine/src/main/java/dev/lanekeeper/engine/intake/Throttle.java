package dev.lanekeeper.engine.intake;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Holds back partitions whose records are not done fast enough, while the consumer polls on. Confined to the poll thread.
 *
 * <p>Each partition has an equal share of the buffers, so a hot partition fills its own share and no other's. It is
 * throttled when the share is full and let go at half of it; what one poll brings beyond the share is admitted. Only
 * partitions that got records, and those that are throttled, are looked at.
 *
 * <p>The third budget is that of the map in the commits, which has a largest size: records that are not done may lie so
 * far apart, and in such numbers, that it fits whatever ends first. Done ones between them count for next to nothing, so
 * one record that never ends does not stop its partition.
 */
final class Throttle {
    /** So much of the window is filled; the rest is for what one more poll brings. */
    private static final double WINDOW_SHARE = 0.75;

    private final Consumer<byte[], byte[]> consumer;
    private final IntakeSettings settings;
    private final Set<Assignment> held = new LinkedHashSet<>();
    private int shares = 1;

    Throttle(Consumer<byte[], byte[]> consumer, IntakeSettings settings) {
        this.consumer = consumer;
        this.settings = settings;
    }

    /** Divides the buffers among so many partitions from now on. */
    void share(int partitions) {
        shares = Math.max(1, partitions);
    }

    /** Called after {@code assignment} got records. */
    void received(Assignment assignment) {
        if (fill(assignment) >= 1 && held.add(assignment)) {
            assignment.throttled(true);
            consumer.pause(List.of(assignment.topicPartition()));
        }
    }

    /** Called after completions were applied: lets partitions go that have room again. */
    void completed() {
        if (held.isEmpty()) {
            return;
        }
        List<TopicPartition> free = new ArrayList<>();
        held.removeIf(assignment -> {
            boolean room = fill(assignment) <= 0.5;
            if (room) {
                assignment.throttled(false);
                free.add(assignment.topicPartition());
            }
            return room;
        });
        if (!free.isEmpty()) {
            consumer.resume(free);
        }
    }

    /** Forgets partitions that were taken away; the consumer has forgotten them too. */
    void forget(Collection<Assignment> gone) {
        held.removeAll(gone);
    }

    boolean holdsAny() {
        return !held.isEmpty();
    }

    /** The fullest of the three budgets, as a share of what is allowed. */
    private double fill(Assignment assignment) {
        double records = (double) assignment.tracker().incomplete() * shares / settings.bufferRecords();
        double bytes = (double) assignment.bytes() * shares / settings.bufferBytes();
        double map = assignment.tracker().mapWeightBits() / (WINDOW_SHARE * settings.window());
        return Math.max(records, Math.max(bytes, map));
    }
}
