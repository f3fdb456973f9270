package dev.lanekeeper.engine.intake;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The partitions that this consumer owns. Confined to the poll thread but for {@link #visible}. */
final class Owned {
    private final Map<TopicPartition, Assignment> byPartition = new LinkedHashMap<>();

    /** Began afresh while records of theirs were running, which must end before the partition moves. */
    private final List<Assignment> superseded = new ArrayList<>();

    private volatile List<Assignment> visible = List.of();

    /** As they are now; any thread. */
    List<Assignment> visible() {
        return visible;
    }

    /** A view that changes with this. */
    Collection<Assignment> all() {
        return Collections.unmodifiableCollection(byPartition.values());
    }

    @Nullable
    Assignment of(TopicPartition partition) {
        return byPartition.get(partition);
    }

    /** Whether it has not been taken away, nor come back as another. */
    boolean has(Assignment assignment) {
        return byPartition.get(assignment.topicPartition()) == assignment;
    }

    void add(Collection<Assignment> fresh) {
        fresh.forEach(assignment -> byPartition.put(assignment.topicPartition(), assignment));
        visible = List.copyOf(byPartition.values());
    }

    /** Goes on with {@code fresh} in the place of {@code old}, of which records are running or not. */
    void replace(Assignment old, Assignment fresh, boolean running) {
        superseded.removeIf(earlier -> earlier.dropWaiting() == 0);
        if (running) {
            superseded.add(old);
        }
        add(List.of(fresh));
    }

    /** These, and those that began afresh as one of these. */
    List<Assignment> withSuperseded(Collection<Assignment> assignments) {
        Set<TopicPartition> partitions =
                assignments.stream().map(Assignment::topicPartition).collect(Collectors.toSet());
        List<Assignment> all = new ArrayList<>(assignments);
        superseded.stream()
                .filter(old -> partitions.contains(old.topicPartition()))
                .forEach(all::add);
        return all;
    }

    void remove(Collection<Assignment> gone) {
        superseded.removeAll(withSuperseded(gone));
        gone.forEach(assignment -> byPartition.remove(assignment.topicPartition()));
        visible = List.copyOf(byPartition.values());
    }

    void clear() {
        byPartition.clear();
        superseded.clear();
        visible = List.of();
    }
}
