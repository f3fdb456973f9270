package dev.lanekeeper.engine.intake;

import dev.lanekeeper.engine.offset.AheadMap;
import dev.lanekeeper.engine.offset.AheadMapCodec;
import dev.lanekeeper.engine.offset.OffsetTracker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.OffsetMetadataTooLarge;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the broker what is done of each partition: the frontier and, in its metadata, what is done ahead. Confined to the
 * poll thread.
 *
 * <p>A commit is what is done at that moment, all of it read in one go; one that failed is never sent again but computed anew at the next
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
    private int mapCharacters = AheadMapCodec.MAX_CHARACTERS;

    Commits(Consumer<byte[], byte[]> consumer, Duration interval, LongSupplier nanoTime, LongAdder failures) {
        this.consumer = consumer;
        this.intervalNanos = interval.toNanos();
        this.nanoTime = nanoTime;
        this.failures = failures;
        this.lastAttempt = nanoTime.getAsLong();
    }

    /**
     * What is told of a partition, all of one moment.
     *
     * @param assignment the partition as it is owned now
     * @param offset its frontier, with the leader epoch below and the map of what is done ahead
     * @param changes how often it had changed
     */
    private record Report(Assignment assignment, OffsetAndMetadata offset, long changes) {
        void confirm() {
            assignment.committed(offset.offset(), changes);
        }
    }

    /** Sends what the broker has not heard of, if it is time and no commit is under way. */
    void commitIfDue(Collection<Assignment> assignments) {
        long now = nanoTime.getAsLong();
        if (underWay || now - lastAttempt < intervalNanos) {
            return;
        }
        lastAttempt = now;
        List<Report> reports = reports(assignments);
        if (reports.isEmpty()) {
            return;
        }
        underWay = true;
        try {
            consumer.commitAsync(offsets(reports), (offsets, failure) -> {
                underWay = false;
                if (failure == null) {
                    reports.forEach(Report::confirm);
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

    /** Commits what is new and waits for the answer; {@code false} if the broker refused or did not answer in time. */
    boolean commitNow(Collection<Assignment> assignments, Duration timeout) {
        List<Report> reports = reports(assignments);
        if (reports.isEmpty()) {
            return true;
        }
        try {
            consumer.commitSync(offsets(reports), timeout);
        } catch (OffsetMetadataTooLarge e) {
            failures.increment();
            shrinkMaps();
            return commitNow(assignments, timeout); // ends with maps of no size
        } catch (KafkaException e) {
            failures.increment();
            log.warn(
                    "the last commit failed, so records that are done may be delivered again: {} ({})",
                    reports.stream().map(Report::assignment).toList(),
                    e.toString());
            return false;
        }
        reports.forEach(Report::confirm);
        return true;
    }

    private List<Report> reports(Collection<Assignment> assignments) {
        List<Report> reports = new ArrayList<>();
        for (Assignment assignment : assignments) {
            if (assignment.uncommitted()) {
                reports.add(report(assignment));
            }
        }
        return reports;
    }

    private Report report(Assignment assignment) {
        OffsetTracker<Routed> tracker = assignment.tracker();
        AheadMap ahead = tracker.doneAhead();
        String map = assignment.mapCodec().write(ahead, mapCharacters);
        assignment.mapBytes(map.length());
        int leaderEpoch = tracker.frontierLeaderEpoch();
        Optional<Integer> epoch = leaderEpoch < 0 ? Optional.empty() : Optional.of(leaderEpoch);
        return new Report(assignment, new OffsetAndMetadata(ahead.base(), epoch, map), tracker.changes());
    }

    private static Map<TopicPartition, OffsetAndMetadata> offsets(List<Report> reports) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        reports.forEach(report -> offsets.put(report.assignment().topicPartition(), report.offset()));
        return offsets;
    }

    /** The broker was told to take less than usual. Without maps everything works, but for what is repeated after a crash. */
    private void shrinkMaps() {
        mapCharacters /= 2;
        log.warn(
                "the broker refuses the map of what is done out of order; "
                        + "from now on it has at most {} characters (offset.metadata.max.bytes is usually {})",
                mapCharacters,
                AheadMapCodec.MAX_CHARACTERS);
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
        if (failure instanceof OffsetMetadataTooLarge) {
            shrinkMaps();
            return;
        }
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
