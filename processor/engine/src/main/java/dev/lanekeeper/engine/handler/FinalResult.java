package dev.lanekeeper.engine.handler;

import java.time.Instant;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * How a record ended: handled, or failed for good. Immutable.
 *
 * @param record the record as it came
 * @param value the decoded value; {@code null} for a tombstone and for a record that could not be decoded
 * @param failure why it failed for good; {@code null} if it was handled
 * @param attempt attempts made, 0 if the handler was never called
 * @param epoch see {@link Delivery#epoch}
 * @param startedAt when the first attempt began
 * @param endedAt when the last attempt ended
 * @param <V> the decoded value
 */
public record FinalResult<V>(
        ConsumerRecord<byte[], byte[]> record,
        @Nullable V value,
        @Nullable Failure failure,
        int attempt,
        int epoch,
        Instant startedAt,
        Instant endedAt) {

    /**
     * Why a record failed for good.
     *
     * @param stage where
     * @param cause what was thrown
     */
    public record Failure(FailureStage stage, Throwable cause) {}

    /** Whether the record was handled. */
    public boolean done() {
        return failure == null;
    }
}
