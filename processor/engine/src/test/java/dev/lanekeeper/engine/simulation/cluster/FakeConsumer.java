package dev.lanekeeper.engine.simulation.cluster;

import dev.lanekeeper.engine.simulation.cluster.FakeGroup.Member;
import dev.lanekeeper.engine.simulation.cluster.FakeGroup.Protocol;
import dev.lanekeeper.engine.simulation.cluster.PartitionLog.Position;
import dev.lanekeeper.engine.simulation.fate.Chance;
import dev.lanekeeper.engine.simulation.fate.Clockwork;
import dev.lanekeeper.engine.simulation.fate.Host;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * A consumer of a {@link FakeCluster}: a member of a group that takes part in rebalances when it polls, reads from where the
 * group is, and commits through {@link CommitChannel}. What it inherits from Kafka's mock is only the rest of the interface.
 */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // one thread runs everything
public class FakeConsumer extends MockConsumer<byte[], byte[]> {
    private final FakeCluster cluster;
    private final FakeGroup group;
    private final Host host;
    private final int mostRecords;
    private final CommitChannel commits;
    private final Map<TopicPartition, Position> owned = new LinkedHashMap<>();
    private final Set<TopicPartition> paused = new HashSet<>();
    private final Set<TopicPartition> fetched = new HashSet<>();
    private final Set<String> topics = new LinkedHashSet<>();
    private @Nullable ConsumerRebalanceListener listener;
    private @Nullable Member member;
    private int generation = -1;

    /** When it will learn that it was thrown out. */
    private long learnsAtNanos = Long.MAX_VALUE;

    private boolean waitsInPoll;
    private boolean wokenUp;
    private boolean closed;

    /** A client of {@code host} whose polls bring at most so many records. */
    public FakeConsumer(FakeCluster cluster, FakeGroup group, Host host, int mostRecords) {
        super("earliest");
        this.cluster = cluster;
        this.group = group;
        this.host = host;
        this.mostRecords = mostRecords;
        this.commits = new CommitChannel(cluster, group, host);
    }

    String name() {
        return host.name();
    }

    /** Whether poll waits when there is nothing, as a thread's does; else it returns, and whoever polls has to wait. */
    public void waitInPoll(boolean waits) {
        waitsInPoll = waits;
    }

    /** It was thrown out, and will learn of it with one of its next heartbeats. */
    void willLearn() {
        learnsAtNanos = clockwork().nowNanos() + cluster.luck().delayNanos(300_000_000L);
    }

    private Clockwork clockwork() {
        return cluster.clockwork();
    }

    // -- the group

    @Override
    public void subscribe(Collection<String> names, ConsumerRebalanceListener rebalanceListener) {
        topics.addAll(names);
        listener = rebalanceListener;
    }

    @Override
    public Set<String> subscription() {
        return topics;
    }

    private ConsumerRebalanceListener listener() {
        if (listener == null) {
            throw new IllegalStateException("Consumer is not subscribed to any topics");
        }
        return listener;
    }

    private void takePart() {
        if (member != null && member.expelled()) {
            boolean told = commits.refusedAsStranger();
            if (!told && clockwork().nowNanos() < learnsAtNanos) {
                return; // a zombie that doesn't know
            }
            member = null;
            generation = -1;
            lose();
        }
        if (member == null) {
            learnsAtNanos = Long.MAX_VALUE;
            member = group.join(this);
        }
        Member me = member;
        if (group.protocol() == Protocol.CONSUMER) {
            List<TopicPartition> wanted = group.heartbeat(me, owned.keySet());
            if (wanted != null) {
                take(me.answerGeneration(), wanted);
            }
            return;
        }
        if (group.wants(me)) {
            if (group.protocol() == Protocol.EAGER) {
                revoke(List.copyOf(owned.keySet()));
            }
            if (group.wants(me)) { // the wait may have been too long for the group
                group.rejoin(me, owned.keySet());
            }
        }
        List<TopicPartition> share = me.takeAnswer();
        if (share != null) {
            take(me.answerGeneration(), share);
        }
    }

    private void take(int newGeneration, List<TopicPartition> share) {
        generation = newGeneration;
        List<TopicPartition> gone = new ArrayList<>(owned.keySet());
        gone.removeAll(share);
        revoke(gone);
        List<TopicPartition> added = new ArrayList<>(share);
        added.removeAll(owned.keySet());
        clockwork()
                .await(
                        host,
                        clockwork().nowNanos() + 2 * FakeTransactions.TIMEOUT.toNanos(),
                        () -> added.stream().noneMatch(cluster.transactions()::unstable));
        for (TopicPartition partition : added) {
            Position start = cluster.log(partition).validated(group.start(partition));
            owned.put(partition, start);
            cluster.events().assigned(name(), partition, start.offset(), generation);
        }
        if (member != null && member.expelled()) { // while it was busy with what is gone
            cluster.events().expelled(name());
        }
        listener().onPartitionsAssigned(added);
        if (!gone.isEmpty() && group.protocol() == Protocol.COOPERATIVE) {
            group.requestRebalance();
        }
    }

    private void revoke(Collection<TopicPartition> partitions) {
        if (!partitions.isEmpty()) {
            partitions.forEach(partition -> cluster.events().revoking(name(), partition));
            listener().onPartitionsRevoked(partitions);
            forget(partitions);
            partitions.forEach(partition -> cluster.events().revoked(name(), partition));
        }
    }

    private void lose() {
        List<TopicPartition> partitions = List.copyOf(owned.keySet());
        if (!partitions.isEmpty()) {
            partitions.forEach(partition -> cluster.events().lost(name(), partition));
            listener().onPartitionsLost(partitions);
            forget(partitions);
        }
    }

    private void forget(Collection<TopicPartition> partitions) {
        partitions.forEach(owned::remove);
        paused.removeAll(partitions);
        fetched.removeAll(partitions);
    }

    // -- records

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        clockwork().requireAlive(host);
        if (closed) {
            throw new IllegalStateException("This consumer has already been closed.");
        }
        if (wokenUp || cluster.luck().has(Chance.WAKEUP)) {
            wokenUp = false;
            throw new WakeupException();
        }
        if (cluster.luck().has(Chance.POLL_FAILS)) {
            cluster.events().expelled(name()); // whoever has it won't go on in good order
            throw new KafkaException("poll fails");
        }
        if (waitsInPoll) {
            clockwork().await(host, clockwork().nowNanos() + timeout.toNanos(), () -> false);
        }
        commits.deliverAnswers();
        takePart();
        return fetch();
    }

    private ConsumerRecords<byte[], byte[]> fetch() {
        Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> found = new LinkedHashMap<>();
        Map<TopicPartition, OffsetAndMetadata> next = new LinkedHashMap<>();
        int room = mostRecords;
        for (Map.Entry<TopicPartition, Position> entry : owned.entrySet()) {
            TopicPartition partition = entry.getKey();
            PartitionLog log = cluster.log(partition);
            Position from = log.validated(entry.getValue());
            if (!paused.contains(partition)
                    && room > 0
                    && from.offset() < log.end()
                    && !cluster.luck().has(Chance.FETCH_LATE)) {
                List<ConsumerRecord<byte[], byte[]>> batch = log.from(from.offset(), room);
                Position position = log.after(batch, room);
                room -= batch.size();
                entry.setValue(position);
                fetched.add(partition);
                next.put(partition, new OffsetAndMetadata(position.offset(), Optional.of(position.leaderEpoch()), ""));
                if (!batch.isEmpty()) {
                    found.put(partition, batch);
                }
            }
        }
        return new ConsumerRecords<>(found, next);
    }

    @Override
    public void wakeup() {
        wokenUp = true;
    }

    @Override
    public long position(TopicPartition partition) {
        return positionOf(partition).offset();
    }

    /** Known from the first fetch on. */
    @Override
    public OptionalLong currentLag(TopicPartition partition) {
        Position position = positionOf(partition);
        return fetched.contains(partition)
                ? OptionalLong.of(Math.max(0, cluster.log(partition).end() - position.offset()))
                : OptionalLong.empty();
    }

    private Position positionOf(TopicPartition partition) {
        Position position = owned.get(partition);
        if (position == null) {
            throw new IllegalStateException(
                    "You can only check the position for partitions assigned to this consumer.");
        }
        return position;
    }

    @Override
    public void seek(TopicPartition partition, long offset) {
        positionOf(partition);
        owned.put(partition, new Position(offset, -1));
    }

    @Override
    public void seek(TopicPartition partition, OffsetAndMetadata offset) {
        positionOf(partition);
        owned.put(partition, new Position(offset.offset(), offset.leaderEpoch().orElse(-1)));
    }

    @Override
    public Set<TopicPartition> assignment() {
        return new LinkedHashSet<>(owned.keySet());
    }

    @Override
    public void pause(Collection<TopicPartition> partitions) {
        requireAssigned(partitions);
        paused.addAll(partitions);
    }

    @Override
    public void resume(Collection<TopicPartition> partitions) {
        requireAssigned(partitions);
        paused.removeAll(partitions);
    }

    private void requireAssigned(Collection<TopicPartition> partitions) {
        for (TopicPartition partition : partitions) {
            if (!owned.containsKey(partition)) {
                throw new IllegalStateException("No current assignment for partition " + partition);
            }
        }
    }

    @Override
    public Set<TopicPartition> paused() {
        return new LinkedHashSet<>(paused);
    }

    // -- commits

    @Override
    public void commitAsync(Map<TopicPartition, OffsetAndMetadata> offsets, OffsetCommitCallback callback) {
        commits.send(member, generation, new LinkedHashMap<>(offsets), callback);
    }

    /** No topic is ever deleted here. */
    @Override
    public Map<String, List<PartitionInfo>> listTopics(Duration timeout) {
        return topics.stream().collect(Collectors.toMap(topic -> topic, topic -> List.of()));
    }

    @Override
    public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
        commits.sendAndWait(member, generation, new LinkedHashMap<>(offsets), timeout.toNanos());
    }

    @Override
    public Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions) {
        return committed(partitions, Duration.ZERO);
    }

    @Override
    public Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions, Duration timeout) {
        Map<TopicPartition, OffsetAndMetadata> found = new LinkedHashMap<>();
        for (TopicPartition partition : partitions) {
            OffsetAndMetadata offset = group.committed(partition);
            if (offset != null) {
                found.put(partition, offset);
            }
        }
        return found;
    }

    @Override
    @SuppressWarnings("removal") // there is no other way to make one
    public ConsumerGroupMetadata groupMetadata() {
        return new ConsumerGroupMetadata(group.name(), generation, "member", Optional.empty());
    }

    // -- the end

    @Override
    public void close() {
        close(CloseOptions.timeout(Duration.ofSeconds(1)));
    }

    @Override
    public void close(CloseOptions options) {
        if (closed || host.dead()) {
            return;
        }
        closed = true;
        if (member != null && member.expelled()) {
            lose();
        } else {
            revoke(List.copyOf(owned.keySet()));
        }
        if (member != null) {
            group.leave(member);
        }
    }

    @Override
    public boolean closed() {
        return closed;
    }
}
