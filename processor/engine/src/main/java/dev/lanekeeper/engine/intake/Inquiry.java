package dev.lanekeeper.engine.intake;

import dev.lanekeeper.engine.offset.Origin;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Which topics some partitions belong to: a question, and its answer if that comes in time. Confined to the poll thread. */
final class Inquiry {
    /** Nobody knows for how long the answer is going to stay away. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final List<Assignment> subjects;
    private final CompletableFuture<Map<String, Origin>> answer;
    private final Deadline deadline;

    private Inquiry(List<Assignment> subjects, CompletableFuture<Map<String, Origin>> answer, Deadline deadline) {
        this.subjects = subjects;
        this.answer = answer;
        this.deadline = deadline;
    }

    static Inquiry about(Collection<Assignment> subjects, TopicIds ids, LongSupplier nanoTime) {
        List<Assignment> asked = List.copyOf(subjects);
        return new Inquiry(
                asked,
                ids.of(asked.stream()
                        .map(Assignment::topicPartition)
                        .map(TopicPartition::topic)
                        .collect(Collectors.toUnmodifiableSet())),
                Deadline.in(PATIENCE, nanoTime));
    }

    /** What it is about. */
    List<Assignment> subjects() {
        return subjects;
    }

    /** Whether the answer is there, or not awaited any more. */
    boolean over() {
        return answer.isDone() || deadline.passed();
    }

    /** What is known of the topic of {@code subject} now: {@code null} for nothing. */
    @Nullable
    Origin originOf(Assignment subject) {
        try {
            return answer.getNow(Map.of()).get(subject.topicPartition().topic());
        } catch (CompletionException e) { // whoever was asked has said so
            return null;
        }
    }
}
