package dev.lanekeeper.engine.simulation.cluster;

import dev.lanekeeper.engine.simulation.fate.Chance;
import dev.lanekeeper.engine.simulation.fate.Host;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * A producer of a {@link FakeCluster}: records arrive and are acknowledged late, or not at all. What it inherits from Kafka's
 * mock is only the rest of the interface.
 */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // one thread runs everything
public class FakeProducer extends MockProducer<byte[], byte[]> {
    /** The broker takes no larger value. */
    public static final int MOST_BYTES = 2_000;

    private static final RecordMetadata NOWHERE =
            new RecordMetadata(new TopicPartition("nowhere", 0), -1, -1, -1, -1, -1);

    private final FakeCluster cluster;
    private final Host host;
    private long lastArrivalNanos; // records arrive in their order
    private boolean fenced;
    private boolean closed;

    public FakeProducer(FakeCluster cluster, Host host) {
        super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
        this.cluster = cluster;
        this.host = host;
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
        if (closed) {
            throw new IllegalStateException("Cannot perform operation after producer has been closed");
        }
        fenced |= cluster.luck().has(Chance.PRODUCER_FENCED);
        if (fenced) {
            throw new ProducerFencedException("another producer took over");
        }
        if (!cluster.reachable(record.topic())) {
            return failed(callback, new TimeoutException("Topic " + record.topic() + " not present in metadata"));
        }
        if (record.value() != null && record.value().length > MOST_BYTES) {
            return failed(callback, new RecordTooLargeException("the record is too large"));
        }
        travel(record, callback);
        return new CompletableFuture<>();
    }

    private static Future<RecordMetadata> failed(Callback callback, RuntimeException cause) {
        callback.onCompletion(NOWHERE, cause);
        return CompletableFuture.failedFuture(cause);
    }

    private void travel(ProducerRecord<byte[], byte[]> record, Callback callback) {
        if (cluster.luck().has(Chance.SEND_LOST)) {
            later(FakeCluster.REQUEST_TIMEOUT_NANOS, record, callback, new NetworkException("disconnected"));
            return;
        }
        boolean answerLost = cluster.luck().has(Chance.ACK_LOST);
        long now = cluster.clockwork().nowNanos();
        lastArrivalNanos = Math.max(lastArrivalNanos + 1, now + cluster.luck().delayNanos(FakeCluster.WAY_NANOS));
        cluster.clockwork().after(lastArrivalNanos - now, cluster.host(), () -> {
            long offset = cluster.log(new TopicPartition(record.topic(), 0)).append(record.key(), record.value());
            try {
                arrived(record, offset);
            } catch (ProducerFencedException e) {
                later(cluster.luck().delayNanos(FakeCluster.WAY_NANOS), record, callback, e);
                return;
            }
            if (answerLost) {
                later(FakeCluster.REQUEST_TIMEOUT_NANOS, record, callback, new NetworkException("disconnected"));
            } else {
                later(cluster.luck().delayNanos(FakeCluster.WAY_NANOS), record, callback, null);
            }
        });
    }

    /** The client learns that the broker has a record. */
    void told(ProducerRecord<byte[], byte[]> record) {
        cluster.events().acknowledged(host.name(), record);
    }

    /** The broker has written a record. */
    void arrived(ProducerRecord<byte[], byte[]> record, long offset) {}

    private void later(
            long nanos, ProducerRecord<byte[], byte[]> record, Callback callback, @Nullable RuntimeException failure) {
        cluster.clockwork().after(nanos, host, () -> {
            if (!closed) {
                if (failure == null) {
                    told(record);
                }
                callback.onCompletion(NOWHERE, failure);
            }
        });
    }

    @Override
    public void close() {
        close(Duration.ZERO);
    }

    @Override
    public void close(Duration timeout) {
        closed = true;
    }

    @Override
    public boolean closed() {
        return closed;
    }
}
