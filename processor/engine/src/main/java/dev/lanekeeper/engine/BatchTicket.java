package dev.lanekeeper.engine;

import dev.lanekeeper.engine.handler.BatchLimit;
import dev.lanekeeper.engine.handler.FinalResult;
import dev.lanekeeper.engine.intake.Assignment;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/** A record for a batch handler, which may be handled together with those behind it; see {@link BatchAttempt}. */
final class BatchTicket<K, V> extends RecordTicket<K, V> {
    private final Walk.Batched<K, V> call;

    /** The last attempt that it has part in, if that is one of several records. Handed along as the record is. */
    private @Nullable BatchAttempt<K, V> batch;

    /** Whether a batch with it has failed for the last time. Written and read by whoever holds the lane, as is the next. */
    private boolean alone;

    /** Attempts that were made before that. */
    private int attemptsTogether;

    BatchTicket(
            Walk<K, V> walk,
            ConsumerRecord<byte[], byte[]> record,
            Assignment assignment,
            long sequence,
            Bytes laneKey,
            Walk.Batched<K, V> call) {
        super(walk, record, assignment, sequence, laneKey, null);
        this.call = call;
    }

    // -- as the head of its lane

    @Override
    void begin() {
        List<BatchTicket<K, V>> together = gather(call.limit());
        if (together.size() == 1) {
            batch = null;
            super.begin();
        } else {
            new BatchAttempt<>(walk, call, together).run();
        }
    }

    /**
     * This one and as many of those behind it as may be handled with it, claimed and decoded. Those of the same assignment
     * pass whatever this one has passed: they are not revoked, and their partition and customer neither stopped nor parked.
     */
    private List<BatchTicket<K, V>> gather(BatchLimit limit) {
        List<BatchTicket<K, V>> together = new ArrayList<>();
        together.add(this);
        long bytes = sizeBytes();
        BatchTicket<K, V> next = follower();
        while (next != null && together.size() < limit.records()) {
            bytes += next.sizeBytes();
            if (bytes > limit.bytes() || !next.joins()) {
                break;
            }
            together.add(next);
            next = next.follower();
        }
        return together;
    }

    /** The one behind it, if the two may be handled at once. */
    @SuppressWarnings("unchecked") // all tickets of an engine's lanes have its types
    private @Nullable BatchTicket<K, V> follower() {
        if (!alone && behind() instanceof BatchTicket<?, ?> next) {
            return next.alone || next.assignment() != assignment() ? null : (BatchTicket<K, V>) next;
        }
        return null;
    }

    /** {@code false} if it is dropped, or can't be decoded, which is seen to in its turn. */
    private boolean joins() {
        if (assignment().revoked() || !claim()) {
            return false;
        }
        if (decodesAhead()) {
            return true;
        }
        idle();
        return false;
    }

    // -- in a batch

    /** Another attempt begins, of {@code together}. */
    Attempt<K, V> attemptIn(BatchAttempt<K, V> together) {
        batch = together;
        return new Attempt<>(this, nextAttempt());
    }

    /** It waits for its turn as if it had not been claimed. */
    void giveBack() {
        batch = null;
        does(LaneHead.Doing.WAITING); // or it would be taken for leaving when it is started again
        idle();
    }

    /** From now on it is handled by itself, with all the attempts that there are. */
    void goAlone() {
        alone = true;
        attemptsTogether = attempts();
        forgetHold(); // its tries are among those
    }

    @Override
    int tries() {
        return attempts() - attemptsTogether;
    }

    @Override
    void forgetAttempts() {
        super.forgetAttempts();
        attemptsTogether = 0;
    }

    @Override
    void failedForGood(FinalResult.Failure failure) {
        BatchAttempt<K, V> together = batch;
        if (together == null || failure.cause() instanceof OutOfMemoryError) {
            super.failedForGood(failure);
        } else {
            batch = null;
            together.split();
        }
    }

    @Override
    void goFromLane() {
        BatchAttempt<K, V> together = batch;
        if (together == null || !together.handled()) {
            super.goFromLane();
        } else {
            together.ended(durable());
        }
    }
}
