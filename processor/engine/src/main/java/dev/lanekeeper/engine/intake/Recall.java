package dev.lanekeeper.engine.intake;

import dev.lanekeeper.engine.offset.AheadMap;
import dev.lanekeeper.engine.offset.AheadMapCodec.Note;
import dev.lanekeeper.engine.offset.Origin;
import dev.lanekeeper.engine.offset.UnreadableMapException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
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
 *
 * <p>Before that it is asked which topic it is, for which the partition is held back too. What is delivered later is of that
 * topic or of a later one, never of an earlier one; so a commit that names it tells of no record that another topic may have
 * at that offset. An offset that was committed for a topic which this one has taken the place of is worth nothing: the
 * partition begins at its beginning. Where the topic is not known, or wasn't, an offset is believed.
 */
final class Recall {
    private static final Logger log = LoggerFactory.getLogger(Recall.class);

    private static final Duration FIRST_TIMEOUT = Duration.ofSeconds(5);

    /** Short, since other partitions wait meanwhile. */
    private static final Duration NEXT_TIMEOUT = Duration.ofSeconds(1);

    private final Consumer<byte[], byte[]> consumer;
    private final TopicIds ids;
    private final LongSupplier nanoTime;
    private final IntakeCounters counters;

    /** What is not known yet of partitions, all of them held back. */
    private final Map<TopicPartition, Question> unread = new LinkedHashMap<>();

    private final Set<Assignment> unverified = new HashSet<>();

    Recall(Consumer<byte[], byte[]> consumer, TopicIds ids, LongSupplier nanoTime, IntakeCounters counters) {
        this.consumer = consumer;
        this.ids = ids;
        this.nanoTime = nanoTime;
        this.counters = counters;
    }

    private record Question(Assignment assignment, Inquiry inquiry) {}

    /** Of partitions just assigned, before anything of them is delivered. */
    void begin(Collection<Assignment> assignments) {
        if (assignments.isEmpty()) {
            return;
        }
        Inquiry inquiry = Inquiry.about(assignments, ids, nanoTime);
        Map<TopicPartition, Question> fresh = new LinkedHashMap<>();
        assignments.forEach(each -> fresh.put(each.topicPartition(), new Question(each, inquiry)));
        if (!inquiry.over() || !read(fresh, FIRST_TIMEOUT)) {
            consumer.pause(fresh.keySet());
            unread.putAll(fresh);
        }
    }

    /**
     * Asks where there was no answer.
     *
     * @param letGo whether what is known now may be fetched; if not, whoever holds it back lets it go
     */
    void goOn(boolean letGo) {
        if (unread.isEmpty()) {
            return;
        }
        Map<TopicPartition, Question> due = new LinkedHashMap<>(unread);
        due.values().removeIf(question -> !question.inquiry().over());
        if (!due.isEmpty() && read(due, NEXT_TIMEOUT)) {
            unread.keySet().removeAll(due.keySet());
            if (letGo) {
                consumer.resume(due.keySet());
            }
        }
    }

    /** Whether {@code assignment} is held back until it is known what is done of it. */
    boolean holds(Assignment assignment) {
        Question question = unread.get(assignment.topicPartition());
        return question != null && question.assignment() == assignment;
    }

    /** Whether an answer may come between two polls. */
    boolean waits() {
        return !unread.isEmpty()
                && unread.values().stream()
                        .anyMatch(question -> !question.inquiry().over());
    }

    /** Forgets partitions that were taken away. */
    void forget(Collection<Assignment> gone) {
        gone.forEach(assignment -> unread.remove(assignment.topicPartition()));
        unverified.removeAll(gone);
    }

    private boolean read(Map<TopicPartition, Question> questions, Duration timeout) {
        try {
            Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(questions.keySet(), timeout);
            questions.forEach((partition, question) -> resume(question, committed.get(partition)));
            return true;
        } catch (KafkaException e) { // whatever will not pass, the poll says too
            log.warn("can't read what is committed of {}, so they wait: {}", questions.keySet(), e.toString());
            return false;
        }
    }

    private void resume(Question question, @Nullable OffsetAndMetadata committed) {
        Assignment assignment = question.assignment();
        Origin origin = question.inquiry().originOf(assignment);
        assignment.origin(origin);
        if (committed == null) {
            return;
        }
        Note note = note(assignment, committed);
        Origin before = note.origin();
        if (origin != null && before != null && before.replacedBy(origin)) {
            log.warn(
                    "passing over what is committed of {}, offset {}: {}",
                    assignment,
                    committed.offset(),
                    TopicMadeAnew.text(assignment, before, origin));
            counters.madeAnew();
            consumer.seekToBeginning(List.of(assignment.topicPartition()));
            return;
        }
        AheadMap map =
                origin == null || before == null || before.equals(origin) ? note.map() : null; // else of a mirror
        assignment.resume(committed.offset(), committed.leaderEpoch().orElse(-1), map);
        if (map != null) {
            unverified.add(assignment);
        }
    }

    private static Note note(Assignment assignment, OffsetAndMetadata committed) {
        try {
            return assignment.mapCodec().note(committed.metadata(), committed.offset());
        } catch (UnreadableMapException e) {
            log.warn(
                    "ignoring the metadata that was committed with offset {} of {}, and beginning there: {}",
                    committed.offset(),
                    assignment,
                    e.getMessage());
            return Note.NONE;
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
