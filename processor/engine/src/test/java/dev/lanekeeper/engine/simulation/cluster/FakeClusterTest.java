package dev.lanekeeper.engine.simulation.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.simulation.fate.Clockwork;
import dev.lanekeeper.engine.simulation.fate.Host;
import dev.lanekeeper.engine.simulation.fate.Luck;
import dev.lanekeeper.engine.simulation.fate.Strands;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;

/** The cluster in memory does what a real one does. */
class FakeClusterTest extends TransactionContract {
    private final SplittableRandom random = new SplittableRandom(1);
    private final Clockwork clockwork = new Clockwork(random, thrown -> {
        throw new AssertionError(thrown);
    });
    private final FakeCluster cluster = new FakeCluster(clockwork, Luck.good(random), ClusterEvents.NONE);
    private int clients;

    @Override
    String newTopic(int partitions) {
        cluster.createTopic("topic", partitions);
        return "topic";
    }

    @Override
    void append(TopicPartition partition, String value) {
        cluster.log(partition).append(null, value.getBytes(UTF_8));
    }

    @Override
    void appendAborted(TopicPartition partition, String value) {
        cluster.log(partition).appendGap(2); // the record and the marker
    }

    @Override
    long end(TopicPartition partition) {
        return cluster.log(partition).end();
    }

    @Override
    Consumer<byte[], byte[]> newConsumer(String group) {
        return newConsumer(group, FakeGroup.Protocol.EAGER);
    }

    @Override
    Consumer<byte[], byte[]> newReconcilingConsumer(String group) {
        return newConsumer(group, FakeGroup.Protocol.CONSUMER);
    }

    private Consumer<byte[], byte[]> newConsumer(String group, FakeGroup.Protocol protocol) {
        return new FakeConsumer(cluster, cluster.group(group, protocol), new Host("client" + ++clients), 100);
    }

    @Override
    Producer<byte[], byte[]> newProducer(String transactionalId) {
        return new FakeTransactionalProducer(cluster, new Host("client" + clients), transactionalId);
    }

    @Override
    void blocking(Runnable work) {
        AtomicBoolean done = new AtomicBoolean();
        try (Strands strands = new Strands()) {
            strands.run(() -> {
                work.run();
                done.set(true);
            });
            clockwork.run(clockwork.nowNanos() + TimeUnit.SECONDS.toNanos(1), done::get);
        }
        assertThat(done).isTrue();
    }

    @Override
    void passTime() {
        clockwork.run(clockwork.nowNanos() + TimeUnit.MILLISECONDS.toNanos(50), () -> false);
    }

    @Override
    long nanoTime() {
        return clockwork.nowNanos();
    }
}
