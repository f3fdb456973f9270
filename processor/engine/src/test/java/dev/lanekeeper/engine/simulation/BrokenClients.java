package dev.lanekeeper.engine.simulation;

import dev.lanekeeper.engine.offset.AheadMap;
import dev.lanekeeper.engine.offset.AheadMapCodec;
import dev.lanekeeper.engine.offset.OffsetTracker;
import dev.lanekeeper.engine.offset.UnreadableMapException;
import dev.lanekeeper.engine.simulation.cluster.FakeCluster;
import dev.lanekeeper.engine.simulation.cluster.FakeConsumer;
import dev.lanekeeper.engine.simulation.cluster.FakeGroup;
import dev.lanekeeper.engine.simulation.cluster.FakeProducer;
import dev.lanekeeper.engine.simulation.cluster.FakeTransactionalProducer;
import dev.lanekeeper.engine.simulation.fate.Host;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Clients that make an engine look as if it broke its promises. */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // one thread runs everything
final class BrokenClients {
    private BrokenClients() {}

    /** Has the engine commit something else than it does. */
    private abstract static class Recommits extends FakeConsumer {
        Recommits(FakeCluster cluster, FakeGroup group, Host host, int mostRecords) {
            super(cluster, group, host, mostRecords);
        }

        @Override
        public void commitAsync(Map<TopicPartition, OffsetAndMetadata> offsets, OffsetCommitCallback callback) {
            super.commitAsync(others(offsets), (ignored, failure) -> callback.onComplete(offsets, failure));
        }

        @Override
        public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
            super.commitSync(others(offsets), timeout);
        }

        private Map<TopicPartition, OffsetAndMetadata> others(Map<TopicPartition, OffsetAndMetadata> offsets) {
            Map<TopicPartition, OffsetAndMetadata> others = new LinkedHashMap<>();
            offsets.forEach((partition, offset) -> others.put(partition, other(partition, offset)));
            return others;
        }

        abstract OffsetAndMetadata other(TopicPartition partition, OffsetAndMetadata offset);

        /** What the metadata says; {@code null} if it says nothing. */
        static @Nullable AheadMap map(TopicPartition partition, OffsetAndMetadata offset) {
            try {
                return codec(partition).note(offset.metadata(), offset.offset()).map();
            } catch (UnreadableMapException e) {
                throw new IllegalStateException(e);
            }
        }

        static AheadMapCodec codec(TopicPartition partition) {
            return new AheadMapCodec(partition.topic(), partition.partition());
        }
    }

    /** One offset more than is done. */
    static final class CommitsTooMuch extends Recommits {
        CommitsTooMuch(FakeCluster cluster, FakeGroup group, Host host, int mostRecords) {
            super(cluster, group, host, mostRecords);
        }

        @Override
        OffsetAndMetadata other(TopicPartition partition, OffsetAndMetadata offset) {
            return new OffsetAndMetadata(offset.offset() + 1, offset.leaderEpoch(), offset.metadata());
        }
    }

    /** As if the frontier had moved once more for what was done ahead of it. */
    static final class CountsTwice extends Recommits {
        CountsTwice(FakeCluster cluster, FakeGroup group, Host host, int mostRecords) {
            super(cluster, group, host, mostRecords);
        }

        @Override
        OffsetAndMetadata other(TopicPartition partition, OffsetAndMetadata offset) {
            AheadMap map = map(partition, offset);
            long ahead = map == null
                    ? 0
                    : LongStream.range(map.base(), map.end()).filter(map::done).count();
            return ahead == 0 ? offset : new OffsetAndMetadata(offset.offset() + ahead, offset.leaderEpoch(), "");
        }
    }

    /** One record more in the map than is done: the second that is open. */
    static final class MarksTooMuch extends Recommits {
        MarksTooMuch(FakeCluster cluster, FakeGroup group, Host host, int mostRecords) {
            super(cluster, group, host, mostRecords);
        }

        @Override
        OffsetAndMetadata other(TopicPartition partition, OffsetAndMetadata offset) {
            AheadMap map = map(partition, offset);
            if (map == null || map.openCount() < 2) {
                return offset;
            }
            OffsetTracker<Long> tracker = new OffsetTracker<>();
            tracker.resume(map.base(), map.leaderEpoch(), null);
            int open = 0;
            for (long next = map.base(); next < map.end(); next++) {
                long sequence = tracker.nextSequence();
                tracker.register(next, map.leaderEpoch(), next);
                if (map.done(next) || ++open == 2) {
                    tracker.complete(sequence);
                }
            }
            String metadata = codec(partition).write(tracker.doneAhead(), null, AheadMapCodec.MAX_CHARACTERS);
            return new OffsetAndMetadata(offset.offset(), offset.leaderEpoch(), metadata);
        }
    }

    /** Has the engine see no map that an earlier owner has committed. */
    static final class ForgetsMaps extends FakeConsumer {
        ForgetsMaps(FakeCluster cluster, FakeGroup group, Host host, int mostRecords) {
            super(cluster, group, host, mostRecords);
        }

        @Override
        public Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions, Duration timeout) {
            Map<TopicPartition, OffsetAndMetadata> bare = new LinkedHashMap<>();
            super.committed(partitions, timeout)
                    .forEach((partition, offset) ->
                            bare.put(partition, new OffsetAndMetadata(offset.offset(), offset.leaderEpoch(), "")));
            return bare;
        }
    }

    /** Keeps every tenth record from the engine. */
    static final class LosesRecords extends FakeConsumer {
        private int seen;

        LosesRecords(FakeCluster cluster, FakeGroup group, Host host, int mostRecords) {
            super(cluster, group, host, mostRecords);
        }

        @Override
        public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            ConsumerRecords<byte[], byte[]> polled = super.poll(timeout);
            Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> left = new LinkedHashMap<>();
            for (ConsumerRecord<byte[], byte[]> record : polled) {
                if (++seen % 10 != 0) {
                    left.computeIfAbsent(
                                    new TopicPartition(record.topic(), record.partition()), unused -> new ArrayList<>())
                            .add(record);
                }
            }
            return new ConsumerRecords<>(left, polled.nextOffsets());
        }
    }

    /** Does not tell the engine that partitions are lost. */
    static final class HidesLosses extends FakeConsumer {
        HidesLosses(FakeCluster cluster, FakeGroup group, Host host, int mostRecords) {
            super(cluster, group, host, mostRecords);
        }

        @Override
        public void subscribe(Collection<String> names, ConsumerRebalanceListener listener) {
            super.subscribe(names, new ConsumerRebalanceListener() {
                @Override
                public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
                    listener.onPartitionsRevoked(partitions);
                }

                @Override
                public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
                    listener.onPartitionsAssigned(partitions);
                }

                @Override
                public void onPartitionsLost(Collection<TopicPartition> partitions) {}
            });
        }
    }

    /** Commits offsets before the transaction that they belong to. */
    static final class CommitsOutside extends FakeTransactionalProducer {
        CommitsOutside(FakeCluster cluster, Host host, String id) {
            super(cluster, host, id);
        }

        @Override
        protected void added(FakeGroup group, Map<TopicPartition, OffsetAndMetadata> offsets) {
            commitAtOnce(group, offsets);
        }
    }

    /** Lets readers see what was written in a transaction that is aborted. */
    static final class KeepsAborted extends FakeTransactionalProducer {
        KeepsAborted(FakeCluster cluster, Host host, String id) {
            super(cluster, host, id);
        }

        @Override
        protected void aborting() {
            show();
            super.aborting();
        }
    }

    /** Says that the broker has what was only just sent. */
    static final class HastyProducer extends FakeProducer {
        HastyProducer(FakeCluster cluster, Host host) {
            super(cluster, host);
        }

        @Override
        public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
            Future<RecordMetadata> unused = super.send(record, (metadata, failure) -> {});
            callback.onCompletion(new RecordMetadata(new TopicPartition(record.topic(), 0), 0, 0, 0, 0, 0), null);
            return new CompletableFuture<>();
        }
    }
}
