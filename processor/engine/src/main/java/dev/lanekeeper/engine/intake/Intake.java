package dev.lanekeeper.engine.intake;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop of the poll thread, without the thread: {@link #runOnce} is one pass. It owns the consumer and is the only
 * writer of every {@link Assignment}; nobody else calls the consumer.
 *
 * <p>A pass never waits for work: it polls, registers and dispatches what came, applies what other threads completed,
 * throttles, and commits when it is time. The one place that waits is the revocation of partitions, for their running
 * records only, and no longer than the drain timeout.
 *
 * <p>Confined to the poll thread but for {@link #assignments}.
 */
public final class Intake {
    private static final Logger log = LoggerFactory.getLogger(Intake.class);

    private static final Duration IDLE_POLL = Duration.ofMillis(100);

    /** Short, since room for a throttled partition shows only between polls: quick handlers run dry meanwhile. */
    private static final Duration THROTTLED_POLL = Duration.ofMillis(1);

    private static final Duration COMMIT_TIMEOUT = Duration.ofSeconds(10);

    private final Consumer<byte[], byte[]> consumer;
    private final Router router;
    private final Completions completions;
    private final IntakeSettings settings;
    private final IntakeCounters counters;
    private final LongSupplier nanoTime;
    private final Throttle throttle;
    private final Commits commits;
    private final Map<TopicPartition, Assignment> active = new LinkedHashMap<>();
    private volatile List<Assignment> visible = List.of();
    private boolean draining;

    /** Takes over {@code consumer}, whose subscription is made by the caller with {@link #rebalanceListener}. */
    public Intake(
            Consumer<byte[], byte[]> consumer,
            Router router,
            Completions completions,
            IntakeSettings settings,
            IntakeCounters counters,
            LongSupplier nanoTime) {
        this.consumer = consumer;
        this.router = router;
        this.completions = completions;
        this.settings = settings;
        this.counters = counters;
        this.nanoTime = nanoTime;
        this.throttle = new Throttle(consumer, settings);
        this.commits = new Commits(consumer, settings.commitInterval(), nanoTime, counters.commitFailures());
    }

    /** To be given to the consumer's {@code subscribe}. */
    public ConsumerRebalanceListener rebalanceListener() {
        return new Rebalance();
    }

    /** The partitions this consumer owns. Any thread. */
    public List<Assignment> assignments() {
        return visible;
    }

    /**
     * One pass: poll, dispatch, complete, throttle, commit.
     *
     * @return how many records came and how many were completed
     * @throws org.apache.kafka.common.KafkaException if the consumer can't go on
     */
    public int runOnce() {
        int received = receive(poll());
        int completed = applyCompletions();
        if (!draining) { // letting a partition go would fetch records that nobody is going to handle
            throttle.completed();
        }
        commits.commitIfDue(active.values(), active::get);
        return received + completed;
    }

    private ConsumerRecords<byte[], byte[]> poll() {
        try {
            return consumer.poll(draining || throttle.holdsAny() ? THROTTLED_POLL : IDLE_POLL);
        } catch (WakeupException e) { // somebody wants the loop to look up, no more
            return ConsumerRecords.empty();
        }
    }

    private int receive(ConsumerRecords<byte[], byte[]> records) {
        for (TopicPartition partition : records.partitions()) {
            Assignment assignment = active.get(partition);
            if (assignment != null && !assignment.revoked()) { // a poll may return records of a partition just revoked
                List<ConsumerRecord<byte[], byte[]>> batch = records.records(partition);
                if (batch.get(0).offset() < assignment.tracker().knownEnd()) {
                    assignment = restart(assignment, batch.get(0).offset());
                }
                dispatch(assignment, batch);
                throttle.received(assignment);
            }
        }
        records.nextOffsets().forEach((partition, next) -> {
            Assignment assignment = active.get(partition);
            if (assignment != null && !assignment.revoked()) { // as above: else the frontier passes what was left out
                assignment.tracker().advanceKnownEnd(next.offset());
                assignment.publish();
            }
        });
        counters.polled(records.count());
        return records.count();
    }

    /** The log was truncated, or somebody sought backwards: what was known of the partition is void. */
    private Assignment restart(Assignment old, long offset) {
        log.warn("{} went back from offset {} to {}", old, old.tracker().knownEnd(), offset);
        old.fence();
        counters.abandoned(dropWaiting(List.of(old)));
        throttle.forget(List.of(old));
        Assignment fresh = new Assignment(old.topicPartition(), old.epoch());
        active.put(fresh.topicPartition(), fresh);
        visible = List.copyOf(active.values());
        if (old.throttled()) {
            consumer.resume(List.of(fresh.topicPartition()));
        }
        return fresh;
    }

    private void dispatch(Assignment assignment, List<ConsumerRecord<byte[], byte[]>> records) {
        for (ConsumerRecord<byte[], byte[]> record : records) {
            Routed routed =
                    router.route(record, assignment, assignment.tracker().nextSequence());
            assignment.register(record.offset(), record.leaderEpoch().orElse(-1), routed);
            routed.dispatch();
        }
    }

    private int applyCompletions() {
        int applied = 0;
        Assignment changed = null; // completions come in runs of one partition: each run is shown once
        for (Routed routed = completions.takeAll(); routed != null; ) {
            Routed next = routed.nextCompleted();
            routed.nextCompleted(null);
            Assignment assignment = routed.assignment();
            if (assignment.fenced()) {
                counters.stale();
            } else if (routed.durable()) {
                assignment.complete(routed);
                applied++;
                if (changed != null && changed != assignment) {
                    changed.publish();
                }
                changed = assignment;
            }
            routed = next;
        }
        if (changed != null) {
            changed.publish();
        }
        counters.completed(applied);
        return applied;
    }

    /**
     * Ends the loop: admits no more, drops what has not started, and polls on until what runs has ended or {@code timeout}
     * has passed. Then commits and leaves the group. Whatever fails, the consumer is closed.
     *
     * @return how many records were still running
     */
    public int drainAndClose(Duration timeout) {
        draining = true;
        int left = 0;
        try {
            consumer.pause(consumer.assignment());
            long deadline = nanoTime.getAsLong() + timeout.toNanos();
            left = dropWaiting(active.values());
            while (left > 0 && deadline - nanoTime.getAsLong() > 0) {
                runOnce();
                left = dropWaiting(active.values());
            }
            applyCompletions();
            active.values().forEach(Assignment::revoke);
            if (!commits.commitNow(active.values(), COMMIT_TIMEOUT)) {
                runOnce(); // a rebalance was under way, most likely: this takes part in it
                commits.commitNow(active.values(), COMMIT_TIMEOUT);
            }
        } finally {
            close();
        }
        return left;
    }

    /** Leaves the group without a commit, after an error: what is not committed is delivered again. */
    public void close() {
        active.values().forEach(Assignment::fence);
        dropWaiting(active.values());
        active.clear();
        visible = List.of();
        consumer.close(CloseOptions.timeout(COMMIT_TIMEOUT));
    }

    /** Drops whatever of the assignments does not run; returns how many records run. */
    private static int dropWaiting(Collection<Assignment> assignments) {
        List<Routed> running = new ArrayList<>();
        for (Assignment assignment : assignments) {
            assignment.revoke();
            assignment.tracker().forEachIncomplete(routed -> {
                if (!routed.drop()) {
                    running.add(routed);
                }
            });
        }
        return running.size();
    }

    /** Runs inside poll, on the poll thread. Must not throw: an exception here would end the consumer. */
    private final class Rebalance implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            int epoch = consumer.groupMetadata().generationId();
            for (TopicPartition partition : partitions) {
                active.put(partition, new Assignment(partition, epoch));
            }
            if (draining) {
                consumer.pause(partitions);
            }
            changed();
            if (!partitions.isEmpty()) {
                log.info("assigned {}, epoch {}", partitions, epoch);
            }
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            List<Assignment> gone = take(partitions);
            if (gone.isEmpty()) {
                return;
            }
            gone.forEach(Assignment::revoke);
            int abandoned = awaitRunning(gone);
            commits.commitNow(gone, COMMIT_TIMEOUT);
            remove(gone);
            counters.abandoned(abandoned);
            if (abandoned > 0) {
                log.warn(
                        "gave up {} running records of {} after {}; their results are dropped and they are delivered again",
                        abandoned,
                        partitions,
                        settings.drainTimeout());
            } else {
                log.info("revoked {}", partitions);
            }
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            List<Assignment> gone = take(partitions);
            gone.forEach(Assignment::fence);
            int abandoned = dropWaiting(gone);
            remove(gone);
            counters.abandoned(abandoned);
            log.warn("lost {}, with {} records running: their results are dropped", partitions, abandoned);
        }

        /** Waits for the running records of these partitions only: never for other lanes, never for queued work. */
        private int awaitRunning(List<Assignment> gone) {
            long deadline = nanoTime.getAsLong() + settings.drainTimeout().toNanos();
            while (true) {
                applyCompletions();
                int running = dropWaiting(gone);
                long left = deadline - nanoTime.getAsLong();
                if (running == 0 || left <= 0 || Thread.currentThread().isInterrupted()) {
                    applyCompletions(); // those that ended between the two lines above
                    return running;
                }
                completions.await(left);
            }
        }

        private List<Assignment> take(Collection<TopicPartition> partitions) {
            List<Assignment> gone = new ArrayList<>();
            for (TopicPartition partition : partitions) {
                Assignment assignment = active.get(partition);
                if (assignment != null) {
                    gone.add(assignment);
                }
            }
            return gone;
        }

        private void remove(List<Assignment> gone) {
            gone.forEach(Assignment::fence); // whatever ends from now on belongs to the past
            gone.forEach(assignment -> active.remove(assignment.topicPartition()));
            throttle.forget(gone);
            changed();
        }

        private void changed() {
            throttle.share(active.size());
            visible = List.copyOf(active.values());
            counters.rebalanced();
        }
    }
}
