package dev.lanekeeper.engine.simulation.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.jspecify.annotations.Nullable;

/**
 * The coordinator of transactions. Of each transactional id it knows the latest producer, by its epoch, and that one's
 * transaction: what was written in it, and the offsets that will be committed with it. Whoever reads committed records sees
 * that when it ends, in the order of the log. Confined to the simulation's thread.
 */
final class FakeTransactions {
    /** Whatever is open for so long is aborted. */
    static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final FakeCluster cluster;
    private final Map<String, Integer> epochs = new HashMap<>();
    private final Map<String, Open> open = new LinkedHashMap<>();

    /** How the last transaction of each id ended, for those who ask again. */
    private final Map<String, Boolean> ended = new HashMap<>();

    /** A record in a log, of a transaction. */
    private record Written(ProducerRecord<byte[], byte[]> record, long offset) {}

    private static final class Open {
        private final String client;
        private final List<Written> written = new ArrayList<>();
        private final Map<TopicPartition, OffsetAndMetadata> offsets = new LinkedHashMap<>();
        private @Nullable FakeGroup group;

        Open(String client) {
            this.client = client;
        }
    }

    FakeTransactions(FakeCluster cluster) {
        this.cluster = cluster;
    }

    /** Another producer takes over; returns its epoch. */
    int takeOver(String id) {
        end(id, false);
        ended.remove(id);
        return epochs.merge(id, 1, Integer::sum);
    }

    /** Notes what a producer has written; opens a transaction if there is none. */
    void wrote(String id, int epoch, String client, ProducerRecord<byte[], byte[]> record, long offset) {
        opened(id, epoch, client).written.add(new Written(record, offset));
    }

    /** Notes offsets, which belong to the transaction until it ends. */
    void offsets(String id, int epoch, String client, FakeGroup group, Map<TopicPartition, OffsetAndMetadata> offsets) {
        Open transaction = opened(id, epoch, client);
        transaction.group = group;
        transaction.offsets.putAll(offsets);
    }

    /** Refuses whoever is not the latest producer. */
    void requireLatest(String id, int epoch) {
        if (epochs.getOrDefault(id, 0) != epoch) {
            throw new ProducerFencedException(
                    "another producer of " + id + " took over, or its transaction was aborted");
        }
    }

    private Open opened(String id, int epoch, String client) {
        requireLatest(id, epoch);
        Open found = open.get(id);
        if (found != null) {
            return found;
        }
        Open begun = new Open(client);
        open.put(id, begun);
        ended.remove(id);
        cluster.clockwork().after(TIMEOUT.toNanos(), cluster.host(), () -> {
            if (open.get(id) == begun) {
                takeOver(id);
            }
        });
        return begun;
    }

    /** Ends a producer's transaction, if it is not ended already in that way. */
    void end(String id, int epoch, boolean commit) {
        requireLatest(id, epoch);
        Boolean before = ended.get(id);
        if (!open.containsKey(id) && before != null && before != commit) {
            throw new InvalidTxnStateException("the transaction of " + id + " has ended otherwise");
        }
        end(id, commit);
        ended.put(id, commit);
    }

    private void end(String id, boolean commit) {
        Open transaction = open.remove(id);
        if (transaction == null || !commit) {
            return;
        }
        transaction.written.forEach(
                written -> cluster.events().visible(transaction.client, written.record(), written.offset()));
        if (transaction.group != null) {
            transaction.group.commit(transaction.client, transaction.offsets);
        }
        cluster.events().settled(transaction.client);
    }

    /** A broken coordinator would show these. */
    void show(String id) {
        Open transaction = open.get(id);
        if (transaction != null) {
            transaction.written.forEach(
                    written -> cluster.events().visible(transaction.client, written.record(), written.offset()));
            cluster.events().settled(transaction.client);
        }
    }

    /** Whether it depends on an open transaction what is committed of a partition. */
    boolean unstable(TopicPartition partition) {
        return open.values().stream().anyMatch(transaction -> transaction.offsets.containsKey(partition));
    }
}
