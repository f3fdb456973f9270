package dev.lanekeeper.engine.simulation.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.lanekeeper.engine.simulation.fate.Clockwork;
import dev.lanekeeper.engine.simulation.fate.Host;
import dev.lanekeeper.engine.simulation.fate.Luck;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/** The cluster in memory does what a real one does. */
class FakeClusterTest extends ClusterContract {
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
        return new FakeConsumer(
                cluster, cluster.group(group, FakeGroup.Protocol.EAGER), new Host("client" + ++clients), 100);
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
