package dev.lanekeeper.app.handlers;

import dev.lanekeeper.engine.handler.Delivery;
import dev.lanekeeper.message.Job;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/** A delivery as the engine would make it, of a record that a test describes. Immutable. */
record FakeDelivery(
        ConsumerRecord<byte[], byte[]> record,
        @Nullable String key,
        @Nullable Job value,
        int attempt) implements Delivery<String, Job> {
    static final String JOB = """
            {"type":"job","id":"j-1","customerId":"%s","kind":"%s","submittedAt":"2026-01-02T03:04:05.678Z",
             "payload":{"amount":1.50},"extra":[1,2]}""";

    /** Job j-1 of {@code customer}, keyed by it, at customer-jobs-3@812. */
    static FakeDelivery of(String customer, String kind, int attempt) {
        return ofValue(customer, JOB.formatted(customer, kind), attempt);
    }

    static FakeDelivery ofValue(@Nullable String key, @Nullable String json, int attempt) {
        ConsumerRecord<byte[], byte[]> record = record(key, json);
        return new FakeDelivery(
                record, key, new JobDeserializer().deserialize("customer-jobs", record.value()), attempt);
    }

    static ConsumerRecord<byte[], byte[]> record(@Nullable String key, @Nullable String value) {
        return new ConsumerRecord<>(
                "customer-jobs",
                3,
                812,
                0,
                TimestampType.CREATE_TIME,
                0,
                0,
                bytes(key),
                bytes(value),
                new RecordHeaders(),
                Optional.empty());
    }

    FakeDelivery withHeader(String name, String value) {
        record.headers().add(name, value.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    @Override
    public int epoch() {
        return 4;
    }

    @Override
    public Instant startedAt() {
        return Instant.EPOCH;
    }

    @Override
    public void emit(ProducerRecord<byte[], byte[]> output) {
        throw new UnsupportedOperationException("no handler here emits");
    }

    private static byte @Nullable [] bytes(@Nullable String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }
}
