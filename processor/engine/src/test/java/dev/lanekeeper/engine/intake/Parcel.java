package dev.lanekeeper.engine.intake;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** A routed record that does nothing by itself: a test says when it runs and ends. */
final class Parcel implements Routed {
    private final ConsumerRecord<byte[], byte[]> record;
    private final Assignment assignment;
    private final long sequence;
    private @Nullable Routed next;
    private boolean durable = true;
    List<ProducerRecord<byte[], byte[]>> outputs = List.of();
    boolean dispatched;
    boolean running;
    boolean dropped;

    Parcel(ConsumerRecord<byte[], byte[]> record, Assignment assignment, long sequence) {
        this.record = record;
        this.assignment = assignment;
        this.sequence = sequence;
    }

    long offset() {
        return record.offset();
    }

    Parcel durable(boolean end) {
        durable = end;
        return this;
    }

    @Override
    public Assignment assignment() {
        return assignment;
    }

    @Override
    public long sequence() {
        return sequence;
    }

    @Override
    public int sizeBytes() {
        return Math.max(0, record.serializedValueSize());
    }

    @Override
    public void dispatch() {
        dispatched = true;
    }

    @Override
    public boolean drop() {
        dropped |= !running;
        return !running;
    }

    @Override
    public boolean durable() {
        return durable;
    }

    @Override
    public List<ProducerRecord<byte[], byte[]>> outputs() {
        return outputs;
    }

    @Override
    public CompletableFuture<Void> replaceOutputs(Throwable cause, ProducerRecord<byte[], byte[]> refused) {
        outputs = outputs.stream()
                .map(each -> each.equals(refused) ? new ProducerRecord<byte[], byte[]>("dead", each.value()) : each)
                .toList();
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void nextCompleted(@Nullable Routed link) {
        next = link;
    }

    @Override
    public @Nullable Routed nextCompleted() {
        return next;
    }
}
