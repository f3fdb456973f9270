package dev.lanekeeper.engine.simulation;

import dev.lanekeeper.engine.simulation.cluster.FakeCluster;
import dev.lanekeeper.engine.simulation.cluster.FakeConsumer;
import dev.lanekeeper.engine.simulation.cluster.FakeGroup;
import dev.lanekeeper.engine.simulation.cluster.FakeProducer;
import dev.lanekeeper.engine.simulation.fate.Host;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;

/** Clients that make an engine look as if it broke its promises. */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // one thread runs everything
final class BrokenClients {
    private BrokenClients() {}

    /** Has the engine commit one offset more than is done. */
    static final class CommitsTooMuch extends FakeConsumer {
        CommitsTooMuch(FakeCluster cluster, FakeGroup group, Host host, int mostRecords) {
            super(cluster, group, host, mostRecords);
        }

        @Override
        public void commitAsync(Map<TopicPartition, OffsetAndMetadata> offsets, OffsetCommitCallback callback) {
            super.commitAsync(oneMore(offsets), (ignored, failure) -> callback.onComplete(offsets, failure));
        }

        @Override
        public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
            super.commitSync(oneMore(offsets), timeout);
        }

        private static Map<TopicPartition, OffsetAndMetadata> oneMore(Map<TopicPartition, OffsetAndMetadata> offsets) {
            Map<TopicPartition, OffsetAndMetadata> more = new LinkedHashMap<>();
            offsets.forEach((partition, offset) -> more.put(
                    partition, new OffsetAndMetadata(offset.offset() + 1, offset.leaderEpoch(), offset.metadata())));
            return more;
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
