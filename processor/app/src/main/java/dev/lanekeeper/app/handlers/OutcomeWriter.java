package dev.lanekeeper.app.handlers;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lanekeeper.engine.handler.FinalResult;
import dev.lanekeeper.engine.handler.ResultWriter;
import dev.lanekeeper.message.Job;
import dev.lanekeeper.message.MessageCodec;
import dev.lanekeeper.message.Outcome;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Writes one outcome for each record that ended. Thread-safe.
 *
 * <p>It has the record's key and goes to the partition of the same number, whatever partitioner the sender of the job
 * used: so a customer's outcomes stay in order, and the audit finds job and outcome side by side. The topic of outcomes
 * needs at least as many partitions as those of jobs.
 */
public final class OutcomeWriter implements ResultWriter<Job> {
    private static final int LONGEST_MESSAGE = 1_000;

    private final MessageCodec codec = new MessageCodec();
    private final String topic;
    private final String instance;
    private final LaneKey laneKey;

    /** Writes to {@code topic} in the name of {@code instance}. */
    public OutcomeWriter(String topic, String instance, LaneKey laneKey) {
        this.topic = topic;
        this.instance = instance;
        this.laneKey = laneKey;
    }

    @Override
    public List<ProducerRecord<byte[], byte[]>> write(FinalResult<Job> result) {
        ConsumerRecord<byte[], byte[]> record = result.record();
        byte[] value = codec.encode(outcome(result));
        return List.of(new ProducerRecord<>(topic, record.partition(), record.key(), value));
    }

    private Outcome outcome(FinalResult<Job> result) {
        ConsumerRecord<byte[], byte[]> record = result.record();
        Job job = result.value();
        return new Outcome(
                job == null ? null : job.id(),
                job == null ? customerOf(record) : job.customerId(),
                job == null ? null : job.seq(),
                result.done() ? Outcome.Status.DONE : Outcome.Status.FAILED,
                result.attempt(),
                instance,
                result.epoch(),
                record.topic(),
                record.partition(),
                record.offset(),
                result.startedAt(),
                result.endedAt(),
                false,
                failureOf(result),
                Map.of());
    }

    /** A record that is no job can still say whose it is. */
    private @Nullable String customerOf(ConsumerRecord<byte[], byte[]> record) {
        String text = laneKey.text(record);
        return text == null || text.isBlank() ? null : text;
    }

    private static @Nullable ObjectNode failureOf(FinalResult<Job> result) {
        FinalResult.Failure failure = result.failure();
        if (failure == null) {
            return null;
        }
        Throwable cause = failure.cause();
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = String.valueOf(cause.getMessage());
        return JsonNodeFactory.instance
                .objectNode()
                .put("error", cause.getClass().getName())
                .put("message", message.length() > LONGEST_MESSAGE ? message.substring(0, LONGEST_MESSAGE) : message)
                .put("stage", failure.stage().label());
    }
}
