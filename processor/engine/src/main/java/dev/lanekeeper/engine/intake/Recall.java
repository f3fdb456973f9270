package dev.lanekeeper.engine.intake;

import dev.lanekeeper.engine.offset.AheadMap;
import dev.lanekeeper.engine.offset.UnreadableMapException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Learns what earlier owners of a partition have done of it. Confined to the poll thread.
 *
 * <p>The group is asked when a partition is assigned, and the poll thread waits for the answer as it would for the
 * position, which comes from the same place. If there is none in time, the partition is held back and the group asked again
 * before each poll: records that are delivered before it is known what is done would be done again. A map that can't be
 * believed is dropped: what it knew is done again, and nothing is lost.
 */
final class Recall {
    private static final Logger log = LoggerFactory.getLogger(Recall.class);

    private static final Duration FIRST_TIMEOUT = Duration.ofSeconds(5);

    /** Short, since other partitions wait meanwhile. */
    private static final Duration NEXT_TIMEOUT = Duration.ofSeconds(1);

    private final Consumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, Assignment> unread = new LinkedHashMap<>();
    private final Set<Assignment> unverified = new HashSet<>();

    Recall(Consumer<byte[], byte[]> consumer) {
        this.consumer = consumer;
    }

    /** Of partitions just assigned, before anything of them is delivered. */
    void begin(Collection<Assignment> assignments) {
        assignments.forEach(assignment -> unread.put(assignment.topicPartition(), assignment));
        if (!read(FIRST_TIMEOUT)) {
            consumer.pause(List.copyOf(unread.keySet()));
        }
    }

    /**
     * Asks again where there was no answer.
     *
     * @param letGo whether what is known now may be fetched; if not, whoever holds it back lets it go
     */
    void goOn(boolean letGo) {
        List<TopicPartition> held = List.copyOf(unread.keySet());
        if (!held.isEmpty() && read(NEXT_TIMEOUT) && letGo) {
            consumer.resume(held);
        }
    }

    /** Whether {@code assignment} is held back until it is known what is done of it. */
    boolean holds(Assignment assignment) {
        return unread.get(assignment.topicPartition()) == assignment;
    }

    /** Forgets partitions that were taken away. */
    void forget(Collection<Assignment> gone) {
        gone.forEach(assignment -> unread.remove(assignment.topicPartition()));
        unverified.removeAll(gone);
    }

    private boolean read(Duration timeout) {
        if (unread.isEmpty()) {
            return true;
        }
        try {
            Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(unread.keySet(), timeout);
            unread.values().forEach(assignment -> resume(assignment, committed.get(assignment.topicPartition())));
            unread.clear();
            return true;
        } catch (KafkaException e) { // whatever will not pass, the poll says too
            log.warn("can't read what is committed of {}, so they wait: {}", unread.keySet(), e.toString());
            return false;
        }
    }

    private void resume(Assignment assignment, @Nullable OffsetAndMetadata committed) {
        if (committed == null) {
            return;
        }
        AheadMap map = null;
        try {
            map = assignment.mapCodec().read(committed.metadata(), committed.offset());
        } catch (UnreadableMapException e) {
            log.warn(
                    "ignoring the metadata that was committed with offset {} of {}, and beginning there: {}",
                    committed.offset(),
                    assignment,
                    e.getMessage());
        }
        assignment.resume(committed.offset(), committed.leaderEpoch().orElse(-1), map);
        if (map != null) {
            unverified.add(assignment);
        }
    }

    /**
     * Checks the map against the log, as soon as the consumer knows where that ends; before anything is passed over.
     *
     * @param position the consumer's, after the records that it has just delivered
     */
    void verify(Assignment assignment, long position) {
        if (!unverified.contains(assignment)) {
            return;
        }
        OptionalLong lag = consumer.currentLag(assignment.topicPartition());
        if (lag.isEmpty()) {
            return;
        }
        unverified.remove(assignment);
        long logEnd = position + lag.getAsLong();
        long mapEnd = assignment.tracker().replayEnd();
        if (mapEnd > logEnd) {
            log.warn(
                    "dropping what was known to be done of {}: it goes up to offset {}, but the log ends at {}",
                    assignment,
                    mapEnd,
                    logEnd);
            assignment.tracker().forgetReplay();
        }
    }
}
