package dev.lanekeeper.engine;

import dev.lanekeeper.engine.intake.Assignment;
import dev.lanekeeper.engine.intake.Routed;
import dev.lanekeeper.lanes.Ticket;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/** The part of a record's ticket that says which record it is, and that carries it back to the poll thread. */
abstract class RoutedTicket extends Ticket<Bytes> implements Routed {
    private final ConsumerRecord<byte[], byte[]> record;
    private final Assignment assignment;
    private final long sequence;

    /** Written before the completion is offered, read by the poll thread after it was taken; so is the link. */
    private boolean durable;

    private @Nullable Routed nextCompleted;

    RoutedTicket(ConsumerRecord<byte[], byte[]> record, Assignment assignment, long sequence) {
        this.record = record;
        this.assignment = assignment;
        this.sequence = sequence;
    }

    final ConsumerRecord<byte[], byte[]> record() {
        return record;
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

    final void durable(boolean durable) {
        this.durable = durable;
    }

    @Override
    public final boolean durable() {
        return durable;
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
