package dev.lanekeeper.engine.simulation.cluster;

import dev.lanekeeper.engine.simulation.cluster.PartitionLog.Position;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.OffsetMetadataTooLarge;
import org.jspecify.annotations.Nullable;

/**
 * A consumer group as its coordinator knows it: members, generation, committed offsets.
 *
 * <p>In the classic protocols, a rebalance waits until all members have joined again, or throws those out that take too long;
 * then the generation goes up and each member finds its share when it polls. In the newer one see {@link Reconciliation}. A
 * commit counts only if it comes from a member, in its generation: this is what fences those that were thrown out.
 */
public final class FakeGroup {
    /** How members give partitions up. */
    public enum Protocol {
        /** All of them before they join again. */
        EAGER,
        /** Those that move, when they learn of it; then there is another rebalance in which they are given away. */
        COOPERATIVE,
        /** Those that move, each at its own pace: there is no rebalance that all take part in. */
        CONSUMER
    }

    /** One member, from its joining until it leaves or is thrown out. */
    static final class Member {
        private final FakeConsumer client;
        private Set<TopicPartition> owned = Set.of();
        private boolean joined;
        private boolean expelled;

        /** Its share, until it has found it. */
        private @Nullable List<TopicPartition> answer;

        private int answerGeneration;

        private Member(FakeConsumer client) {
            this.client = client;
        }

        boolean expelled() {
            return expelled;
        }

        /** Whether it has joined and does not know its share. */
        boolean betweenGenerations() {
            return joined || answer != null;
        }

        int answerGeneration() {
            return answerGeneration;
        }

        Set<TopicPartition> owned() {
            return owned;
        }

        void owns(Collection<TopicPartition> partitions) {
            owned = new LinkedHashSet<>(partitions);
        }

        void reaches(int epoch) {
            answerGeneration = epoch;
        }

        /** Takes the answer, if there is one. */
        @Nullable
        List<TopicPartition> takeAnswer() {
            List<TopicPartition> taken = answer;
            answer = null;
            return taken;
        }
    }

    private final FakeCluster cluster;
    private final String name;
    private final Protocol protocol;
    private final List<Member> members = new ArrayList<>();
    private final Map<TopicPartition, OffsetAndMetadata> committed = new LinkedHashMap<>();
    private final Reconciliation reconciliation;
    private boolean preparing;
    private int generation;
    private int round;

    FakeGroup(FakeCluster cluster, String name, Protocol protocol) {
        this.cluster = cluster;
        this.name = name;
        this.protocol = protocol;
        this.reconciliation = new Reconciliation(this, cluster);
    }

    String name() {
        return name;
    }

    Protocol protocol() {
        return protocol;
    }

    /** What was committed for a partition. */
    public @Nullable OffsetAndMetadata committed(TopicPartition partition) {
        return committed.get(partition);
    }

    /** Where a consumer goes on that gets a partition now. */
    public long resumesAt(TopicPartition partition) {
        return cluster.log(partition).validated(start(partition)).offset();
    }

    Position start(TopicPartition partition) {
        OffsetAndMetadata from = committed.get(partition);
        return from == null
                ? Position.BEGINNING
                : new Position(from.offset(), from.leaderEpoch().orElse(-1));
    }

    // -- members

    /** Whether {@code member} is waited for. */
    boolean wants(Member member) {
        return preparing && !member.joined;
    }

    Member join(FakeConsumer client) {
        Member member = new Member(client);
        members.add(member);
        requestRebalance();
        return member;
    }

    void rejoin(Member member, Collection<TopicPartition> owned) {
        member.owns(owned);
        member.joined = true;
        completeIfAllJoined();
    }

    /** See {@link Reconciliation#heartbeat}. */
    @Nullable
    List<TopicPartition> heartbeat(Member member, Collection<TopicPartition> owned) {
        return reconciliation.heartbeat(member, owned);
    }

    void leave(Member member) {
        if (members.remove(member)) {
            member.expelled = true;
            if (preparing) {
                completeIfAllJoined();
            } else {
                requestRebalance();
            }
        }
    }

    /** Throws out the member that a client is, as after a session without heartbeats. It learns of it later. */
    public void expel(FakeConsumer client) {
        for (Member member : List.copyOf(members)) {
            if (member.client == client) {
                cluster.events().expelled(client.name());
                client.willLearn();
                leave(member);
            }
        }
    }

    void expel(Member member) {
        expel(member.client);
    }

    /** Has all members join again, or share anew. */
    public void requestRebalance() {
        if (preparing || members.isEmpty()) {
            return;
        }
        if (protocol == Protocol.CONSUMER) {
            reconciliation.aim(shares());
            return;
        }
        preparing = true;
        int mine = ++round;
        for (Member member : members) {
            member.joined = false;
            member.answer = null;
        }
        cluster.clockwork().after(FakeCluster.REBALANCE_TIMEOUT.toNanos(), cluster.host(), () -> {
            if (preparing && round == mine) {
                goOnWithout(members.stream().filter(member -> !member.joined).toList());
            }
        });
    }

    private void goOnWithout(List<Member> late) {
        for (Member member : late) {
            expel(member.client);
        }
    }

    private void completeIfAllJoined() {
        if (!preparing || !members.stream().allMatch(member -> member.joined)) {
            return;
        }
        preparing = false;
        if (members.isEmpty()) {
            return;
        }
        generation++;
        Map<Member, List<TopicPartition>> shares = shares();
        for (Member member : members) {
            member.joined = false;
            member.answerGeneration = generation;
            member.answer = shares.get(member);
        }
    }

    /** Partitions go anywhere, so that they move as often as can be. */
    private Map<Member, List<TopicPartition>> shares() {
        Map<Member, List<TopicPartition>> shares = new LinkedHashMap<>();
        members.forEach(member -> shares.put(member, new ArrayList<>()));
        Set<String> topics = new LinkedHashSet<>();
        members.forEach(member -> topics.addAll(member.client.subscription()));
        for (String topic : topics) {
            int first = (int) cluster.luck().between(0, members.size());
            for (int number = 0; number < cluster.partitions(topic); number++) {
                TopicPartition partition = new TopicPartition(topic, number);
                Member target = members.get((first + number) % members.size());
                if (protocol != Protocol.COOPERATIVE || ownedByNoneBut(target, partition)) {
                    shares.getOrDefault(target, new ArrayList<>()).add(partition);
                }
            }
        }
        return shares;
    }

    boolean ownedByNoneBut(Member target, TopicPartition partition) {
        return members.stream().allMatch(member -> member == target || !member.owned.contains(partition));
    }

    // -- commits

    private @Nullable RuntimeException refused(Member member, int from) {
        if (!members.contains(member)) {
            return new CommitFailedException("not a member of the group any more");
        }
        int now = protocol == Protocol.CONSUMER ? member.answerGeneration : generation;
        return from == now ? null : new CommitFailedException("generation " + from + " is over, it is " + now + " now");
    }

    /** Refuses offsets that are to be part of a transaction. */
    void requireMember(String client, int from, Map<TopicPartition, OffsetAndMetadata> offsets) {
        Member member = members.stream()
                .filter(candidate -> candidate.client.name().equals(client))
                .findFirst()
                .orElseThrow(() -> new CommitFailedException(client + " is not a member of the group"));
        RuntimeException refusal = refused(member, from);
        if (refusal != null) {
            throw refusal;
        }
        offsets.forEach((partition, offset) -> {
            if (offset.metadata().length() > FakeCluster.METADATA_LIMIT) {
                throw new OffsetMetadataTooLarge("The metadata of " + partition + " is too long");
            }
        });
    }

    /** Commits offsets that were part of a transaction. */
    void commit(String client, Map<TopicPartition, OffsetAndMetadata> offsets) {
        offsets.forEach((partition, offset) -> {
            committed.put(partition, offset);
            cluster.events().committed(client, partition, offset);
        });
    }

    /** A commit that has arrived; what comes back is why it, or a part of it, was refused. */
    @Nullable
    RuntimeException commit(Member member, int from, Map<TopicPartition, OffsetAndMetadata> offsets) {
        RuntimeException stranger = refused(member, from);
        if (stranger != null) {
            return stranger;
        }
        RuntimeException refusal = null;
        for (Map.Entry<TopicPartition, OffsetAndMetadata> entry : offsets.entrySet()) {
            OffsetAndMetadata offset = entry.getValue();
            if (offset.metadata().length() > FakeCluster.METADATA_LIMIT) {
                refusal = new OffsetMetadataTooLarge(
                        "The metadata of " + entry.getKey() + " is longer than " + FakeCluster.METADATA_LIMIT);
            } else {
                committed.put(entry.getKey(), offset);
                cluster.events().committed(member.client.name(), entry.getKey(), offset);
            }
        }
        return refusal;
    }
}
