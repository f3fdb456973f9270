package dev.lanekeeper.engine.intake;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The partitions that this consumer owns. Confined to the poll thread but for {@link #visible}. */
final class Owned {
    private final Map<TopicPartition, Assignment> byPartition = new LinkedHashMap<>();
    private volatile List<Assignment> visible = List.of();

    /** As they are now; any thread. */
    List<Assignment> visible() {
        return visible;
    }

    /** A view that changes with this. */
    Collection<Assignment> all() {
        return Collections.unmodifiableCollection(byPartition.values());
    }

    int count() {
        return byPartition.size();
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

    void remove(Collection<Assignment> gone) {
        gone.forEach(assignment -> byPartition.remove(assignment.topicPartition()));
        visible = List.copyOf(byPartition.values());
    }

    void clear() {
        byPartition.clear();
        visible = List.of();
    }
}
