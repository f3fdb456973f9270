package dev.lanekeeper.app.handlers;

import dev.lanekeeper.message.Job;
import dev.lanekeeper.message.MessageCodec;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/** Reads a record's value as a job; throws {@link dev.lanekeeper.message.InvalidMessageException}. Thread-safe. */
public final class JobDeserializer implements Deserializer<Job> {
    private final MessageCodec codec = new MessageCodec();

    @Override
    public @Nullable Job deserialize(String topic, byte @Nullable [] value) {
        return value == null ? null : codec.job(value);
    }
}
