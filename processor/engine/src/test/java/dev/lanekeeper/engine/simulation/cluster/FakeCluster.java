package dev.lanekeeper.engine.simulation.cluster;

import dev.lanekeeper.engine.simulation.fate.Clockwork;
import dev.lanekeeper.engine.simulation.fate.Host;
import dev.lanekeeper.engine.simulation.fate.Luck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;

/** Topics and groups. Confined to the simulation's thread. */
public final class FakeCluster {
    /** How long the coordinator waits for the heartbeat of a member, and for it to join again. */
    public static final Duration SESSION_TIMEOUT = Duration.ofSeconds(3);

    static final Duration REBALANCE_TIMEOUT = Duration.ofSeconds(6);

    /** Length above which the coordinator refuses what comes with an offset, in characters. */
    public static final int METADATA_LIMIT = 4096;

    /** The longest way of a request, or of an answer, when nothing lags. */
    static final long WAY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** How long a client waits for an answer. */
    static final long REQUEST_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Clockwork clockwork;
    private final Luck luck;
    private final ClusterEvents events;
    private final Host host = new Host("broker");
    private final Map<String, List<PartitionLog>> topics = new LinkedHashMap<>();
    private final Set<String> unreachable = new HashSet<>();
    private final Map<String, FakeGroup> groups = new LinkedHashMap<>();
    private final FakeTransactions transactions = new FakeTransactions(this);

    public FakeCluster(Clockwork clockwork, Luck luck, ClusterEvents events) {
        this.clockwork = clockwork;
        this.luck = luck;
        this.events = events;
    }

    /** Creates a topic, if it is not there. */
    public void createTopic(String name, int partitions) {
        topics.computeIfAbsent(name, topic -> {
            List<PartitionLog> logs = new ArrayList<>();
            for (int partition = 0; partition < partitions; partition++) {
                logs.add(new PartitionLog(new TopicPartition(topic, partition)));
            }
            return logs;
        });
    }

    /** Whether a topic that was created can be reached. */
    public void reachable(String topic, boolean reachable) {
        if (reachable) {
            unreachable.remove(topic);
        } else {
            unreachable.add(topic);
        }
    }

    boolean reachable(String topic) {
        return topics.containsKey(topic) && !unreachable.contains(topic);
    }

    int partitions(String topic) {
        return topics.getOrDefault(topic, List.of()).size();
    }

    /** The log of a partition that exists. */
    public PartitionLog log(TopicPartition partition) {
        List<PartitionLog> logs = topics.get(partition.topic());
        if (logs == null) {
            throw new IllegalArgumentException("no topic " + partition.topic());
        }
        return logs.get(partition.partition());
    }

    /** The group of this name, whose members take over partitions as {@code protocol} says. */
    public FakeGroup group(String name, FakeGroup.Protocol protocol) {
        return groups.computeIfAbsent(name, unused -> new FakeGroup(this, name, protocol));
    }

    /** The group of this name, which there is. */
    FakeGroup group(String name) {
        FakeGroup group = groups.get(name);
        if (group == null) {
            throw new IllegalArgumentException("no group " + name);
        }
        return group;
    }

    FakeTransactions transactions() {
        return transactions;
    }

    Clockwork clockwork() {
        return clockwork;
    }

    Luck luck() {
        return luck;
    }

    ClusterEvents events() {
        return events;
    }

    /** The brokers, which never die here. */
    Host host() {
        return host;
    }
}
