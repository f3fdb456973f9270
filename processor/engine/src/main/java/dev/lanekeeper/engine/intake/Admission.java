package dev.lanekeeper.engine.intake;

import dev.lanekeeper.engine.offset.OffsetTracker;
import dev.lanekeeper.engine.offset.Origin;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends what a poll has brought on its way, but for what was done before. Confined to the poll thread. */
final class Admission {
    private static final Logger log = LoggerFactory.getLogger(Admission.class);

    private final Consumer<byte[], byte[]> consumer;
    private final Router router;
    private final Owned owned;
    private final Throttle throttle;
    private final Recall recall;
    private final FetchHold hold;
    private final TopicWatch watch;
    private final IntakeCounters counters;

    Admission(
            Consumer<byte[], byte[]> consumer,
            Router router,
            Owned owned,
            Throttle throttle,
            Recall recall,
            FetchHold hold,
            TopicWatch watch,
            IntakeCounters counters) {
        this.consumer = consumer;
        this.router = router;
        this.owned = owned;
        this.throttle = throttle;
        this.recall = recall;
        this.hold = hold;
        this.watch = watch;
        this.counters = counters;
    }

    /** Takes in what came; returns how many records that were. */
    int receive(ConsumerRecords<byte[], byte[]> records) {
        Set<TopicPartition> leftOut = new HashSet<>(0);
        for (TopicPartition partition : records.partitions()) {
            Assignment assignment = owned.of(partition);
            if (assignment != null && !assignment.revoked()) { // a poll may return records of a partition just revoked
                List<ConsumerRecord<byte[], byte[]>> batch = records.records(partition);
                assignment = goingBackTo(batch.get(0).offset(), assignment);
                if (assignment == null) {
                    leftOut.add(partition);
                    continue;
                }
                OffsetAndMetadata next = records.nextOffsets().get(partition);
                if (next != null) {
                    recall.verify(assignment, next.offset());
                }
                dispatch(assignment, batch);
                throttle.received(assignment);
            }
        }
        records.nextOffsets().forEach((partition, next) -> {
            Assignment assignment = owned.of(partition);
            if (assignment == null || assignment.revoked() || leftOut.contains(partition)) {
                return; // as above: else the frontier passes what was left out
            }
            Assignment current = goingBackTo(next.offset(), assignment); // what is left of a cut log may hold no record
            if (current != null) {
                int leaderEpoch = next.leaderEpoch().orElse(-1);
                current.tracker().advanceKnownEnd(next.offset(), leaderEpoch);
                current.readFrom(leaderEpoch);
                current.publish();
            }
        });
        counters.polled(records.count());
        return records.count();
    }

    /**
     * Goes on with what is delivered from {@code offset}, on a new assignment if that was passed before.
     *
     * @return {@code null} if something before it has to be fetched again first
     */
    private @Nullable Assignment goingBackTo(long offset, Assignment assignment) {
        if (offset >= assignment.tracker().knownEnd()) {
            return assignment;
        }
        long frontier = assignment.tracker().frontier();
        Assignment fresh = restart(assignment, offset);
        if (frontier >= offset) {
            return fresh;
        }
        consumer.seek(fresh.topicPartition(), frontier);
        return null;
    }

    /** The log was truncated, or somebody sought backwards: what was known of the partition is void. */
    private Assignment restart(Assignment old, long offset) {
        log.warn("{} went back from offset {} to {}", old, old.tracker().knownEnd(), offset);
        watch.suspect();
        return beginAnew(old, old.origin());
    }

    /** All that is known of the partition is of a topic that is gone, and everything of {@code now} is to be delivered. */
    void madeAnew(Assignment old, Origin now) {
        Origin before = old.origin();
        log.warn("beginning {} anew: {}", old, TopicMadeAnew.text(old, before == null ? now : before, now));
        counters.madeAnew();
        Assignment fresh = beginAnew(old, now);
        consumer.seekToBeginning(List.of(fresh.topicPartition()));
    }

    private Assignment beginAnew(Assignment old, @Nullable Origin origin) {
        old.fence();
        int running = old.dropWaiting();
        counters.abandoned(running);
        throttle.forget(List.of(old));
        recall.forget(List.of(old));
        Assignment fresh = new Assignment(old.topicPartition(), old.epoch());
        fresh.origin(origin);
        owned.replace(old, fresh, running > 0);
        if (old.throttled() && !hold.on()) {
            consumer.resume(List.of(fresh.topicPartition()));
        }
        return fresh;
    }

    private void dispatch(Assignment assignment, List<ConsumerRecord<byte[], byte[]>> records) {
        try {
            for (ConsumerRecord<byte[], byte[]> record : records) {
                dispatch(assignment, record);
            }
        } finally { // if one failed, those before it must not wait for a worker for ever
            router.dispatched();
        }
    }

    private void dispatch(Assignment assignment, ConsumerRecord<byte[], byte[]> record) {
        OffsetTracker<Routed> tracker = assignment.tracker();
        int leaderEpoch = record.leaderEpoch().orElse(-1);
        if (tracker.replaying() && doneBefore(assignment, record.offset(), leaderEpoch)) {
            return;
        }
        Routed routed = router.route(record, assignment, tracker.nextSequence());
        assignment.register(record.offset(), leaderEpoch, routed);
        routed.dispatch();
    }

    private boolean doneBefore(Assignment assignment, long offset, int leaderEpoch) {
        if (assignment.tracker().replayEndsAt(offset, leaderEpoch)) {
            log.warn(
                    "dropping what was known to be done of {}: offset {} was written anew, in leader epoch {}",
                    assignment,
                    offset,
                    leaderEpoch);
        }
        boolean done = assignment.tracker().passIfDone(offset, leaderEpoch);
        if (done) {
            counters.doneBefore();
        }
        return done;
    }
}
