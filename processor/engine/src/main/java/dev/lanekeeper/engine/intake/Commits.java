package dev.lanekeeper.engine.intake;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the broker how far each partition is done. Confined to the poll thread.
 *
 * <p>A commit is what the frontiers are at that moment; one that failed is never sent again but computed anew at the next
 * opportunity, since only what the broker confirmed counts as committed. While a rebalance is under way the broker refuses
 * commits: that means "not now".
 */
final class Commits {
    private static final Logger log = LoggerFactory.getLogger(Commits.class);

    private final Consumer<byte[], byte[]> consumer;
    private final long intervalNanos;
    private final LongSupplier nanoTime;
    private final LongAdder failures;
    private long lastAttempt;
    private boolean underWay;
    private boolean failing;

    Commits(Consumer<byte[], byte[]> consumer, Duration interval, LongSupplier nanoTime, LongAdder failures) {
        this.consumer = consumer;
        this.intervalNanos = TimeUnit.NANOSECONDS.convert(interval);
        this.nanoTime = nanoTime;
        this.failures = failures;
        this.lastAttempt = nanoTime.getAsLong();
    }

    /**
     * Sends the frontiers that have moved, if it is time and no commit is under way.
     *
     * @param active finds the current assignment of a partition when the answer comes
     */
    void commitIfDue(Collection<Assignment> assignments, Function<TopicPartition, @Nullable Assignment> active) {
        long now = nanoTime.getAsLong();
        if (underWay || now - lastAttempt < intervalNanos) {
            return;
        }
        lastAttempt = now;
        Map<TopicPartition, OffsetAndMetadata> moved = moved(assignments);
        if (moved.isEmpty()) {
            return;
        }
        Map<TopicPartition, Assignment> asked = new HashMap<>();
        moved.keySet().forEach(partition -> asked.put(partition, active.apply(partition)));
        underWay = true;
        try {
            consumer.commitAsync(moved, (offsets, failure) -> {
                underWay = false;
                if (failure == null) {
                    offsets.forEach((partition, offset) -> confirm(asked.get(partition), offset));
                    succeeded();
                } else {
                    failed(failure);
                }
            });
        } catch (KafkaException e) { // refused at the call, so there won't be an answer
            underWay = false;
            failed(e);
        }
    }

    /** Commits what has moved and waits for the answer; {@code false} if the broker refused or did not answer in time. */
    boolean commitNow(Collection<Assignment> assignments, Duration timeout) {
        Map<TopicPartition, OffsetAndMetadata> moved = moved(assignments);
        if (moved.isEmpty()) {
            return true;
        }
        try {
            consumer.commitSync(moved, timeout);
        } catch (KafkaException e) {
            failures.increment();
            log.warn(
                    "the last commit failed, so records that are done may be delivered again: {} ({})",
                    moved,
                    e.toString());
            return false;
        }
        for (Assignment assignment : assignments) {
            confirm(assignment, moved.get(assignment.topicPartition()));
        }
        return true;
    }

    private static Map<TopicPartition, OffsetAndMetadata> moved(Collection<Assignment> assignments) {
        Map<TopicPartition, OffsetAndMetadata> moved = new HashMap<>();
        for (Assignment assignment : assignments) {
            long frontier = assignment.tracker().frontier();
            if (frontier > assignment.committed()) {
                int leaderEpoch = assignment.tracker().frontierLeaderEpoch();
                Optional<Integer> epoch = leaderEpoch < 0 ? Optional.empty() : Optional.of(leaderEpoch);
                moved.put(assignment.topicPartition(), new OffsetAndMetadata(frontier, epoch, ""));
            }
        }
        return moved;
    }

    private static void confirm(@Nullable Assignment assignment, @Nullable OffsetAndMetadata offset) {
        if (assignment != null && offset != null) {
            assignment.committed(Math.max(assignment.committed(), offset.offset()));
        }
    }

    private void succeeded() {
        if (failing) {
            failing = false;
            log.info("commits succeed again");
        }
    }

    /** Throws what will not pass; inside poll, that hands it on. */
    private void failed(Exception failure) {
        failures.increment();
        if (failure instanceof AuthorizationException
                || failure instanceof AuthenticationException
                || failure instanceof FencedInstanceIdException) {
            throw (KafkaException) failure;
        }
        if (failing || failure instanceof RebalanceInProgressException) {
            log.debug("a commit failed and is computed anew at the next interval: {}", failure.toString());
        } else {
            failing = true; // said once: until it is over, each interval would say the same
            log.warn("commits fail and are computed anew at each interval: {}", failure.toString());
        }
    }
}
