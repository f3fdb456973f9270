package dev.lanekeeper.engine.simulation.cluster;

import dev.lanekeeper.engine.simulation.cluster.FakeGroup.Member;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * How a group shares partitions in the protocol in which nobody waits for all: the coordinator says who should have what, and
 * each member comes to that in its own time. It gives up first what it should not have; then its epoch goes up, and it gets
 * what is free by then. Confined to the simulation's thread.
 */
final class Reconciliation {
    private final FakeGroup group;
    private final FakeCluster cluster;
    private Map<Member, List<TopicPartition>> target = Map.of();
    private int epoch;

    Reconciliation(FakeGroup group, FakeCluster cluster) {
        this.group = group;
        this.cluster = cluster;
    }

    /** Who is to have what from now on. Who doesn't give up the rest in time is thrown out. */
    void aim(Map<Member, List<TopicPartition>> shares) {
        target = shares;
        int mine = ++epoch;
        cluster.clockwork().after(FakeCluster.REBALANCE_TIMEOUT.toNanos(), cluster.host(), () -> {
            if (epoch == mine) {
                target.keySet().stream().filter(this::hasTooMuch).toList().forEach(group::expel);
            }
        });
    }

    private boolean hasTooMuch(Member member) {
        return !share(member).containsAll(member.owned());
    }

    private Set<TopicPartition> share(Member member) {
        return new LinkedHashSet<>(target.getOrDefault(member, List.of()));
    }

    /**
     * A member says what it has.
     *
     * @return what it should have; {@code null} if nothing changes for it
     */
    @Nullable
    List<TopicPartition> heartbeat(Member member, Collection<TopicPartition> owned) {
        member.owns(owned);
        Set<TopicPartition> wanted = share(member);
        List<TopicPartition> kept = new ArrayList<>(owned);
        kept.retainAll(wanted);
        if (kept.size() < owned.size()) {
            return kept;
        }
        wanted.removeAll(kept);
        wanted.removeIf(partition -> !group.ownedByNoneBut(member, partition));
        if (wanted.isEmpty() && member.answerGeneration() == epoch) {
            return null;
        }
        kept.addAll(wanted);
        member.owns(new HashSet<>(kept));
        member.reaches(epoch);
        return kept;
    }
}
