package dev.lanekeeper.engine.handler;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to handle one record: what a handler receives. Thread-safe for reading; valid beyond the attempt, but
 * {@link #emit} only during it.
 *
 * @param <K> the decoded key
 * @param <V> the decoded value
 */
public interface Delivery<K, V> {
    /** The record as it came, bytes and headers untouched. */
    ConsumerRecord<byte[], byte[]> record();

    /** The decoded key; {@code null} if the record has none. */
    @Nullable
    K key();

    /** The decoded value; {@code null} for a tombstone. */
    @Nullable
    V value();

    /** 1 for the first attempt in this assignment of the partition. */
    int attempt();

    /** The consumer group's generation when the partition was assigned; later owners have higher ones. */
    int epoch();

    /** What a sink needs to take each effect once, and none of an instance that was cut off. */
    default FencingToken token() {
        return new FencingToken(0, record().topic(), record().partition(), record().offset());
    }

    /** The last header of this name, as UTF-8; {@code null} if there is none, or it has no value. */
    default @Nullable String header(String name) {
        Header header = record().headers().lastHeader(name);
        return header == null || header.value() == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }

    /** When the first attempt began, on the engine's clock. */
    Instant startedAt();

    /**
     * Whether the work is in vain or overdue: the attempt takes longer than the {@link HandlerTimeout}, or its partition was
     * taken away and nobody waits for the result any more. A handler may look at it now and then, and give up by throwing.
     */
    default boolean cancelled() {
        return false;
    }

    /**
     * Has {@code action} run once when the attempt has taken longer than the {@link HandlerTimeout}; at once if it has
     * already. It runs on a thread of the engine's, not the handler's, and may block; what it throws is logged. Never run
     * for an attempt that ends in time.
     */
    default void onCancel(Runnable action) {}

    /**
     * Adds a record to be sent if this attempt succeeds. The source offset completes, and the lane goes on, only when
     * the broker has acknowledged it. Records of a failed attempt are dropped.
     *
     * @throws IllegalStateException if the attempt has ended
     */
    void emit(ProducerRecord<byte[], byte[]> output);
}
