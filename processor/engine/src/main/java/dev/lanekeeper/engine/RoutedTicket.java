package dev.lanekeeper.engine;

import dev.lanekeeper.engine.intake.Assignment;
import dev.lanekeeper.engine.intake.Routed;
import dev.lanekeeper.lanes.Ticket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/** The part of a record's ticket that says which record it is, and that carries it back to the poll thread. */
abstract class RoutedTicket extends Ticket<Bytes> implements Routed {
    private final ConsumerRecord<byte[], byte[]> record;
    private final Assignment assignment;
    private final long sequence;
    private final Bytes laneKey;

    /** Written before the completion is offered, read by the poll thread after it was taken; so is the link. */
    private boolean durable;

    private @Nullable Routed nextCompleted;

    /** Handed along as {@link #durable} is. */
    private @Nullable WayOut<?, ?> wayOut;

    /** Written by the poll thread before it is dispatched, by whoever has it after that. */
    private boolean aside;

    /** Whether it is the reason why its successors are set aside. */
    private boolean holdsUp;

    RoutedTicket(ConsumerRecord<byte[], byte[]> record, Assignment assignment, long sequence, Bytes laneKey) {
        this.record = record;
        this.assignment = assignment;
        this.sequence = sequence;
        this.laneKey = laneKey;
    }

    final ConsumerRecord<byte[], byte[]> record() {
        return record;
    }

    final Bytes laneKey() {
        return laneKey;
    }

    @Override
    public final Assignment assignment() {
        return assignment;
    }

    @Override
    public final long sequence() {
        return sequence;
    }

    @Override
    public final int sizeBytes() {
        return Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
    }

    /** It waits for a retry, its own or that of one before it, and does not count as buffered. */
    final void setAside() {
        if (!aside) {
            aside = true;
            assignment.setAside(sizeBytes());
        }
    }

    /** It waits for a retry, and with it all of its lane that come from now on, since they are told by {@code heldUp}. */
    final void holdUp(Set<Bytes> heldUp) {
        if (!holdsUp && heldUp.add(laneKey)) {
            holdsUp = true;
            setAside();
        }
    }

    /** It ends, however. Called by whoever ends it, once. */
    final void leave(Set<Bytes> heldUp) {
        if (aside) {
            aside = false;
            assignment.takeBack(sizeBytes());
        }
        if (holdsUp) {
            holdsUp = false;
            heldUp.remove(laneKey);
        }
    }

    final void durable(boolean durable) {
        this.durable = durable;
    }

    @Override
    public final boolean durable() {
        return durable;
    }

    @Override
    public final List<ProducerRecord<byte[], byte[]>> outputs() {
        WayOut<?, ?> out = wayOut;
        return out == null ? List.of() : out.outputs();
    }

    @Override
    public final CompletableFuture<Void> replaceOutputs(Throwable cause, ProducerRecord<byte[], byte[]> refused) {
        WayOut<?, ?> out = wayOut;
        return out == null ? CompletableFuture.completedFuture(null) : out.replaceOutputs(cause, refused);
    }

    /** Keeps what has to be sent in the transaction that commits this record; called before its completion is offered. */
    final void leaveBy(WayOut<?, ?> wayOut) {
        this.wayOut = wayOut;
    }

    /** What has to be sent when all that it caused is acknowledged. */
    List<ProducerRecord<byte[], byte[]>> closing() {
        return List.of();
    }

    @Override
    public final void nextCompleted(@Nullable Routed next) {
        nextCompleted = next;
    }

    @Override
    public final @Nullable Routed nextCompleted() {
        return nextCompleted;
    }

    @Override
    public final String toString() {
        return record.topic() + "-" + record.partition() + "@" + record.offset();
    }
}
