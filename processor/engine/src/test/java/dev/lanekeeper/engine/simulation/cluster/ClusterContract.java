package dev.lanekeeper.engine.simulation.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.OffsetMetadataTooLarge;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an engine relies on in a cluster; held against the one in memory and against a real one. */
abstract class ClusterContract {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final List<Member> members = new ArrayList<>();
    private String topic = "";

    // -- the cluster

    /** A topic of its own. */
    abstract String newTopic(int partitions);

    abstract void append(TopicPartition partition, String value);

    /** Appends a record that no consumer will see, of a transaction that is aborted. */
    abstract void appendAborted(TopicPartition partition, String value);

    abstract long end(TopicPartition partition);

    /** A consumer of committed records in a group that gives all partitions up in a rebalance. */
    abstract Consumer<byte[], byte[]> newConsumer(String group);

    /** The same in a group whose members each come to their share at their own pace. */
    abstract Consumer<byte[], byte[]> newReconcilingConsumer(String group);

    /** Lets a little time pass. */
    abstract void passTime();

    abstract long nanoTime();

    // -- what is relied on

    @Test
    void aMemberReadsFromTheCommitOn() {
        TopicPartition p0 = begin(1);
        for (int i = 0; i < 5; i++) {
            append(p0, "v" + i);
        }
        Member first = join("group");
        pollUntil(() -> first.offsets.size() == 5);
        OffsetAndMetadata commit = new OffsetAndMetadata(3, Optional.of(0), "kept as it is");
        first.consumer.commitSync(Map.of(p0, commit), PATIENCE);
        first.consumer.close();
        members.remove(first);

        Member second = join("group");
        pollUntil(() -> second.offsets.size() == 2);
        assertThat(second.offsets).containsExactly(3L, 4L);
        assertThat(second.consumer.committed(Set.of(p0), PATIENCE)).containsEntry(p0, commit);
    }

    @Test
    void allIsGivenUpAndSharedWhenAMemberComes() {
        TopicPartition p0 = begin(2);
        TopicPartition p1 = new TopicPartition(topic, 1);
        Member first = join("group");
        pollUntil(() -> first.owned.size() == 2);
        int generation = first.consumer.groupMetadata().generationId();
        append(p0, "zero");
        append(p1, "one");
        pollUntil(() -> first.offsets.size() == 2);
        first.consumer.commitSync(Map.of(p0, new OffsetAndMetadata(1), p1, new OffsetAndMetadata(1)), PATIENCE);

        Member second = join("group");
        pollUntil(() -> first.owned.size() == 1 && second.owned.size() == 1);
        assertThat(first.revoked).containsExactlyInAnyOrder(p0, p1);
        assertThat(first.consumer.groupMetadata().generationId()).isGreaterThan(generation);
        assertThat(second.consumer.groupMetadata().generationId())
                .isEqualTo(first.consumer.groupMetadata().generationId());
        append(p0, "zero");
        append(p1, "one");
        pollUntil(() -> first.offsets.size() + second.offsets.size() == 4);
        assertThat(second.offsets).containsExactly(1L);
    }

    @Test
    void onlyWhatMovesIsGivenUpWhereNobodyWaitsForAll() {
        TopicPartition p0 = begin(2);
        TopicPartition p1 = new TopicPartition(topic, 1);
        Member first = join(newReconcilingConsumer(topic + "group"));
        pollUntil(() -> first.owned.size() == 2);
        int epoch = first.consumer.groupMetadata().generationId();
        append(p0, "zero");
        append(p1, "one");
        pollUntil(() -> first.offsets.size() == 2);
        first.consumer.commitSync(Map.of(p0, new OffsetAndMetadata(1), p1, new OffsetAndMetadata(1)), PATIENCE);

        Member second = join(newReconcilingConsumer(topic + "group"));
        pollUntil(() -> first.owned.size() == 1 && second.owned.size() == 1);
        assertThat(first.revoked).containsExactlyElementsOf(second.owned);
        assertThat(first.lost).isEmpty();
        pollUntil(() -> first.consumer.groupMetadata().generationId() > epoch);
        TopicPartition kept = first.owned.iterator().next();
        append(kept, "kept");
        pollUntil(() -> first.offsets.size() == 3);
        first.consumer.commitSync(Map.of(kept, new OffsetAndMetadata(2)), PATIENCE);
        append(first.revoked.get(0), "moved");
        pollUntil(() -> second.offsets.size() == 1);
        assertThat(second.offsets).containsExactly(1L);
    }

    @Test
    void whoIsNotHeardOfIsOutAndCommitsNoMore() {
        TopicPartition p0 = begin(1);
        append(p0, "v");
        Member silent = join("group");
        pollUntil(() -> silent.offsets.size() == 1);
        members.remove(silent);
        Member heir = join("group");
        pollUntil(() -> heir.offsets.size() == 1);
        assertThatThrownBy(() -> silent.consumer.commitSync(Map.of(p0, new OffsetAndMetadata(1)), PATIENCE))
                .isInstanceOf(CommitFailedException.class);
        assertThat(heir.consumer.committed(Set.of(p0), PATIENCE).get(p0)).isNull();
        assertThat(silent.lost).isEmpty();

        members.add(silent);
        pollUntil(() -> !silent.lost.isEmpty());
        assertThat(silent.lost).containsExactly(p0);
        assertThat(silent.revoked).isEmpty();
    }

    @Test
    void offsetsWithoutRecordsArePassed() {
        TopicPartition p0 = begin(1);
        append(p0, "before");
        appendAborted(p0, "never seen");
        append(p0, "between");
        appendAborted(p0, "never seen");
        Member member = join("group");
        pollUntil(() -> member.next.getOrDefault(p0, 0L) == end(p0));
        assertThat(member.values).containsExactly("before", "between");
        assertThat(member.consumer.position(p0)).isEqualTo(end(p0)).isGreaterThan(4);
    }

    @Test
    void theLagIsKnownOnceSomethingWasFetched() {
        TopicPartition p0 = begin(1);
        Member member = join("group");
        pollUntil(() -> member.owned.size() == 1);
        append(p0, "v");
        append(p0, "v");
        pollUntil(() -> member.offsets.size() == 2);
        assertThat(member.consumer.currentLag(p0)).hasValue(0);
    }

    @Test
    void metadataThatIsTooLongIsRefused() {
        TopicPartition p0 = begin(1);
        Member member = join("group");
        pollUntil(() -> member.owned.size() == 1);
        OffsetAndMetadata longest = new OffsetAndMetadata(1, "x".repeat(FakeCluster.METADATA_LIMIT));
        member.consumer.commitSync(Map.of(p0, longest), PATIENCE);
        OffsetAndMetadata tooLong = new OffsetAndMetadata(2, "x".repeat(FakeCluster.METADATA_LIMIT + 1));
        assertThatThrownBy(() -> member.consumer.commitSync(Map.of(p0, tooLong), PATIENCE))
                .isInstanceOf(OffsetMetadataTooLarge.class);
        assertThat(member.consumer.committed(Set.of(p0), PATIENCE)).containsEntry(p0, longest);
    }

    @Test
    void aPausedPartitionBringsNothingUntilItIsResumed() {
        TopicPartition p0 = begin(2);
        TopicPartition p1 = new TopicPartition(topic, 1);
        Member member = join("group");
        pollUntil(() -> member.owned.size() == 2);
        member.consumer.pause(Set.of(p0));
        append(p0, "held back");
        append(p1, "through");
        pollUntil(() -> !member.values.isEmpty());
        assertThat(member.values).containsExactly("through");
        member.consumer.resume(Set.of(p0));
        pollUntil(() -> member.values.size() == 2);
    }

    @Test
    void aMemberThatClosesGivesItsPartitionsUpFirst() {
        TopicPartition p0 = begin(1);
        Member member = join("group");
        pollUntil(() -> member.owned.size() == 1);
        members.remove(member);
        member.consumer.close();
        assertThat(member.revoked).containsExactly(p0);
        assertThat(member.lost).isEmpty();
    }

    // -- how

    final TopicPartition begin(int partitions) {
        topic = newTopic(partitions);
        return new TopicPartition(topic, 0);
    }

    final Member join(String group) {
        return join(newConsumer(topic + group));
    }

    private Member join(Consumer<byte[], byte[]> consumer) {
        Member member = new Member(consumer);
        members.add(member);
        member.consumer.subscribe(List.of(topic), member);
        return member;
    }

    static @Nullable OffsetAndMetadata committed(Member member, TopicPartition partition) {
        return member.consumer.committed(Set.of(partition), PATIENCE).get(partition);
    }

    final void pollUntil(BooleanSupplier done) {
        long deadline = nanoTime() + PATIENCE.toNanos();
        while (!done.getAsBoolean()) {
            assertThat(nanoTime()).as("the time until it is so").isLessThan(deadline);
            members.forEach(Member::poll);
            passTime();
        }
    }

    @AfterEach
    void closeAll() {
        members.forEach(member -> member.consumer.close());
    }

    /** A consumer, and what it was told. */
    static final class Member implements ConsumerRebalanceListener {
        private final Consumer<byte[], byte[]> consumer;
        private final Set<TopicPartition> owned = new TreeSet<>(Comparator.comparing(TopicPartition::toString));
        private final List<TopicPartition> revoked = new ArrayList<>();
        private final List<TopicPartition> lost = new ArrayList<>();
        private final List<Long> offsets = new ArrayList<>();
        private final List<String> values = new ArrayList<>();
        private final Map<TopicPartition, Long> next = new HashMap<>();

        Member(Consumer<byte[], byte[]> consumer) {
            this.consumer = consumer;
        }

        Consumer<byte[], byte[]> consumer() {
            return consumer;
        }

        Set<TopicPartition> owned() {
            return owned;
        }

        List<Long> offsets() {
            return offsets;
        }

        void poll() {
            ConsumerRecords<byte[], byte[]> polled = consumer.poll(Duration.ofMillis(50));
            for (ConsumerRecord<byte[], byte[]> record : polled) {
                offsets.add(record.offset());
                values.add(new String(record.value(), UTF_8));
            }
            polled.nextOffsets().forEach((partition, offset) -> next.put(partition, offset.offset()));
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            owned.addAll(partitions);
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            revoked.addAll(partitions);
            owned.removeAll(partitions);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            lost.addAll(partitions);
            owned.removeAll(partitions);
        }
    }
}
