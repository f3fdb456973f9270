package dev.lanekeeper.engine.intake;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.OffsetMetadataTooLarge;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the broker what is done of each partition: the frontier and, in its metadata, what is done ahead. Confined to the
 * poll thread.
 *
 * <p>A commit is what is done at that moment, all of it read in one go; one that failed is never sent again but computed anew
 * at the next opportunity, since only what the broker confirmed counts as committed. While a rebalance is under way the broker
 * refuses commits: that means "not now".
 */
final class Commits implements CommitPath {
    private static final Logger log = LoggerFactory.getLogger(Commits.class);

    /** How long a last commit is waited for before it is seen whether all of its topics still exist. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Consumer<byte[], byte[]> consumer;
    private final long intervalNanos;
    private final LongSupplier nanoTime;
    private final LongAdder failures;
    private long lastAttempt;
    private boolean underWay;
    private boolean failing;
    private final CommitReports reporting = new CommitReports();

    Commits(Consumer<byte[], byte[]> consumer, Duration interval, LongSupplier nanoTime, LongAdder failures) {
        this.consumer = consumer;
        this.intervalNanos = TimeUnit.NANOSECONDS.convert(interval);
        this.nanoTime = nanoTime;
        this.failures = failures;
        this.lastAttempt = nanoTime.getAsLong();
    }

    @Override
    public void completed(Routed routed) {
        // its outputs were acknowledged before it came back
    }

    @Override
    public boolean hasRoom() {
        return true;
    }

    /** Sends what the broker has not heard of, if it is time and no commit is under way. */
    @Override
    public void commitIfDue(Collection<Assignment> assignments) {
        long now = nanoTime.getAsLong();
        if (underWay || now - lastAttempt < intervalNanos) {
            return;
        }
        lastAttempt = now;
        List<CommitReports.Report> reports = reporting.of(assignments);
        if (reports.isEmpty()) {
            return;
        }
        underWay = true;
        try {
            consumer.commitAsync(CommitReports.offsets(reports), (offsets, failure) -> {
                underWay = false;
                if (failure == null) {
                    reports.forEach(CommitReports.Report::confirm);
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

    /**
     * Commits what is new and waits for the answer; {@code false} if the broker refused or did not answer in time.
     *
     * <p>A commit of a topic that was deleted never succeeds, and the client tries it until time is up. Nobody's records come
     * meanwhile, and before long the group gives the consumer up. So after a while without an answer it is seen which
     * topics there are, and the rest of the time is for those.
     */
    @Override
    public boolean commitNow(Collection<Assignment> assignments, Duration timeout) {
        Deadline deadline = Deadline.in(timeout, nanoTime);
        Deadline patience = Deadline.in(PATIENCE, nanoTime).or(deadline);
        KafkaException refusal = commit(assignments, patience);
        if (refusal instanceof TimeoutException && patience.passed() && !deadline.passed()) {
            refusal = commit(withoutDeleted(assignments, deadline), deadline);
        }
        if (refusal == null) {
            return true;
        }
        failures.increment();
        log.warn(
                "the last commit failed, so records that are done may be delivered again: {} ({})",
                assignments.stream().filter(Assignment::uncommitted).toList(),
                refusal.toString());
        return false;
    }

    /** {@code null} if all of it is committed. */
    private @Nullable KafkaException commit(Collection<Assignment> assignments, Deadline deadline) {
        List<CommitReports.Report> reports = reporting.of(assignments);
        if (reports.isEmpty()) {
            return null;
        }
        try {
            consumer.commitSync(CommitReports.offsets(reports), Duration.ofNanos(deadline.leftNanos()));
        } catch (OffsetMetadataTooLarge e) {
            failures.increment();
            reporting.shrinkMaps();
            return commit(assignments, deadline); // ends with maps of no size
        } catch (KafkaException e) {
            return e;
        }
        reports.forEach(CommitReports.Report::confirm);
        return null;
    }

    private Collection<Assignment> withoutDeleted(Collection<Assignment> assignments, Deadline deadline) {
        Set<String> topics;
        try {
            topics = consumer.listTopics(deadline.left(PATIENCE)).keySet();
        } catch (KafkaException e) { // whatever it is, the commit meets it too
            return assignments;
        }
        List<Assignment> left = new ArrayList<>();
        for (Assignment assignment : assignments) {
            if (topics.contains(assignment.topicPartition().topic())) {
                left.add(assignment);
            } else if (assignment.uncommitted()) {
                log.warn("nothing is committed of {} any more: the topic is gone", assignment);
            }
        }
        return left;
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
            reporting.shrinkMaps();
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
