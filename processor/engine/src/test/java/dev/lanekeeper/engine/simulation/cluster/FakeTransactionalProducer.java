package dev.lanekeeper.engine.simulation.cluster;

import dev.lanekeeper.engine.simulation.fate.Chance;
import dev.lanekeeper.engine.simulation.fate.Host;
import dev.lanekeeper.engine.simulation.fate.Strand;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A {@link FakeProducer} with a transactional id. Whatever waits for an answer has to be called on a strand. */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // one thing at a time
public class FakeTransactionalProducer extends FakeProducer {
    private final FakeCluster cluster;
    private final Host host;
    private final String id;
    private int epoch;
    private int unanswered;
    private @Nullable Exception failure;

    public FakeTransactionalProducer(FakeCluster cluster, Host host, String id) {
        super(cluster, host);
        this.cluster = cluster;
        this.host = host;
        this.id = id;
    }

    @Override
    public void initTransactions() {
        epoch = cluster.transactions().takeOver(id);
    }

    @Override
    public void beginTransaction() {
        failure = null;
        if (cluster.luck().has(Chance.PRODUCER_FENCED)) {
            cluster.transactions().takeOver(id); // by somebody who was told the same id
        }
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
        unanswered++;
        try {
            return super.send(record, (metadata, refusal) -> {
                unanswered--;
                failure = failure == null ? refusal : failure;
                callback.onCompletion(metadata, refusal);
            });
        } catch (KafkaException e) {
            unanswered--;
            throw e;
        }
    }

    @Override
    void told(ProducerRecord<byte[], byte[]> record) {
        // it counts when the transaction is committed
    }

    @Override
    void arrived(ProducerRecord<byte[], byte[]> record, long offset) {
        cluster.transactions().wrote(id, epoch, host.name(), record, offset);
    }

    @Override
    public void flush() {
        for (long wait = FakeCluster.WAY_NANOS / 2; unanswered > 0; wait *= 2) { // each look takes a switch of threads
            sleep(wait);
        }
    }

    @Override
    public void sendOffsetsToTransaction(Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
        Map<TopicPartition, OffsetAndMetadata> sent = new LinkedHashMap<>(offsets);
        ask(() -> {
            cluster.transactions().requireLatest(id, epoch);
            FakeGroup owner = cluster.group(group.groupId());
            owner.requireMember(host.name(), group.generationId(), sent);
            added(owner, sent);
        });
    }

    /** The coordinator takes offsets. */
    protected void added(FakeGroup group, Map<TopicPartition, OffsetAndMetadata> offsets) {
        cluster.transactions().offsets(id, epoch, host.name(), group, offsets);
    }

    @Override
    public void commitTransaction() {
        if (failure != null) {
            throw new KafkaException("a record of the transaction was not taken", failure);
        }
        ask(() -> cluster.transactions().end(id, epoch, true));
    }

    @Override
    public void abortTransaction() {
        flush();
        ask(this::aborting);
    }

    /** The coordinator ends the transaction. */
    protected void aborting() {
        cluster.transactions().end(id, epoch, false);
    }

    /** Commits offsets that were to be part of the transaction. */
    protected final void commitAtOnce(FakeGroup group, Map<TopicPartition, OffsetAndMetadata> offsets) {
        group.commit(host.name(), offsets);
    }

    /** Shows what readers of committed records must not see. */
    protected final void show() {
        cluster.transactions().show(id);
    }

    private void ask(Runnable atTheCoordinator) {
        if (cluster.luck().has(Chance.COMMIT_LOST)) {
            sleep(FakeCluster.REQUEST_TIMEOUT_NANOS);
            throw new TimeoutException("no answer about a transaction");
        }
        sleep(cluster.luck().delayNanos(FakeCluster.WAY_NANOS));
        boolean answerLost = cluster.luck().has(Chance.COMMIT_ANSWER_LOST);
        try {
            atTheCoordinator.run();
        } finally {
            sleep(
                    answerLost
                            ? FakeCluster.REQUEST_TIMEOUT_NANOS
                            : cluster.luck().delayNanos(FakeCluster.WAY_NANOS));
        }
        if (answerLost) {
            throw new TimeoutException("no answer about a transaction");
        }
    }

    private void sleep(long nanos) {
        try {
            Strand.sleep(cluster.clockwork(), host, nanos);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
        if (closed()) {
            throw new ProducerFencedException("closed");
        }
    }
}
