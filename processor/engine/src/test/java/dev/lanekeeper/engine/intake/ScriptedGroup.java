package dev.lanekeeper.engine.intake;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.OffsetMetadataTooLarge;
import org.jspecify.annotations.Nullable;

/** What the group behind a {@link ScriptedConsumer} knows, and how it misbehaves. Guarded by the consumer. */
final class ScriptedGroup {
    private final Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
    private final List<Map<TopicPartition, OffsetAndMetadata>> commits = new ArrayList<>();
    private final Deque<CommitFault> faults = new ArrayDeque<>();
    private final Deque<RuntimeException> refusals = new ArrayDeque<>();
    private final Deque<Runnable> steps = new ArrayDeque<>();
    private int maxCharacters = 4_096;

    void fault(CommitFault fault) {
        faults.add(fault);
    }

    void refuseToTell(RuntimeException cause) {
        refusals.add(cause);
    }

    /** Runs {@code step} while the next commit is waited for. */
    void whileCommitting(Runnable step) {
        steps.add(step);
    }

    void maxCharacters(int characters) {
        maxCharacters = characters;
    }

    void put(TopicPartition partition, OffsetAndMetadata offset) {
        committed.put(partition, offset);
    }

    /** The answer to a commit: {@code null}, or why it was refused. Throws what is refused at the call. */
    @Nullable
    RuntimeException commitAsync(Set<TopicPartition> owned, Map<TopicPartition, OffsetAndMetadata> offsets) {
        CommitFault fault = faults.poll();
        if (fault != null && fault.atTheCall()) {
            throw fault.cause();
        }
        return answer(fault, owned, offsets);
    }

    void commitSync(Set<TopicPartition> owned, Map<TopicPartition, OffsetAndMetadata> offsets) {
        Runnable step = steps.poll();
        if (step != null) {
            step.run();
        }
        RuntimeException refusal = answer(faults.poll(), owned, offsets);
        if (refusal != null) {
            throw refusal;
        }
    }

    private @Nullable RuntimeException answer(
            @Nullable CommitFault fault, Set<TopicPartition> owned, Map<TopicPartition, OffsetAndMetadata> offsets) {
        if (fault != null && !fault.done()) {
            return fault.cause();
        }
        if (offsets.values().stream().anyMatch(offset -> offset.metadata().length() > maxCharacters)) {
            return new OffsetMetadataTooLarge("more than " + maxCharacters + " characters");
        }
        store(owned, offsets);
        return fault == null ? null : fault.cause();
    }

    private void store(Set<TopicPartition> owned, Map<TopicPartition, OffsetAndMetadata> offsets) {
        if (!owned.containsAll(offsets.keySet())) {
            throw new CommitFailedException("not the owner of all of " + offsets);
        }
        committed.putAll(offsets);
        commits.add(Map.copyOf(offsets));
    }

    @Nullable
    OffsetAndMetadata committed(TopicPartition partition) {
        return committed.get(partition);
    }

    Map<TopicPartition, OffsetAndMetadata> tell(Set<TopicPartition> partitions) {
        RuntimeException refusal = refusals.poll();
        if (refusal != null) {
            throw refusal;
        }
        Map<TopicPartition, OffsetAndMetadata> told = new HashMap<>(committed);
        told.keySet().retainAll(partitions);
        return told;
    }

    long committedOffset(TopicPartition partition) {
        OffsetAndMetadata offset = committed.get(partition);
        return offset == null ? -1 : offset.offset();
    }

    /** Where a consumer begins. */
    long position(TopicPartition partition) {
        return Math.max(0, committedOffset(partition));
    }

    List<Map<TopicPartition, OffsetAndMetadata>> commits() {
        return List.copyOf(commits);
    }
}
