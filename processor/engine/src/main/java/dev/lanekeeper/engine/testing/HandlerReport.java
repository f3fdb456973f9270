package dev.lanekeeper.engine.testing;

import dev.lanekeeper.engine.handler.OnFailure;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * How a record would end in an engine.
 *
 * @param attempts how many there were
 * @param waits between them, the longest that the policy allows
 * @param outputs what the successful attempt emitted; empty if none was successful
 * @param failure what the last attempt failed with; {@code null} if the record was handled
 * @param then what follows the failure; {@code null} if the record was handled
 */
public record HandlerReport(
        int attempts,
        List<Duration> waits,
        List<ProducerRecord<byte[], byte[]>> outputs,
        @Nullable Throwable failure,
        @Nullable OnFailure then) {
    /** Copies the lists. */
    public HandlerReport {
        waits = List.copyOf(waits);
        outputs = List.copyOf(outputs);
    }

    /** Whether the record was handled. */
    public boolean done() {
        return failure == null;
    }
}
