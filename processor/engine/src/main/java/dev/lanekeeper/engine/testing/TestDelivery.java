package dev.lanekeeper.engine.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.lanekeeper.engine.handler.Delivery;
import dev.lanekeeper.engine.handler.FencingToken;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * A delivery for a handler under test: says what the test wants, and remembers what the handler emits. The methods that begin
 * with {@code with}, and {@link #at}, answer a fresh one that differs in one thing and has emitted nothing. Thread-safe.
 *
 * @param <K> the decoded key
 * @param <V> the decoded value
 */
public final class TestDelivery<K, V> implements Delivery<K, V> {
    private final ConsumerRecord<byte[], byte[]> record;
    private final @Nullable K key;
    private final @Nullable V value;
    private final int attempt;
    private final int incarnation;

    /** Guarded by this, as are those below. */
    private final List<ProducerRecord<byte[], byte[]>> outputs = new ArrayList<>();

    private final List<Runnable> actions = new ArrayList<>();
    private boolean cancelled;
    private boolean ended;

    private TestDelivery(
            ConsumerRecord<byte[], byte[]> record, @Nullable K key, @Nullable V value, int attempt, int incarnation) {
        this.record = record;
        this.key = key;
        this.value = value;
        this.attempt = attempt;
        this.incarnation = incarnation;
    }

    /**
     * The first attempt of a record at offset 0 of partition 0 of the topic {@code test}. The bytes of its record are key and
     * value themselves if they are bytes, else their text as UTF-8; where other bytes matter, use
     * {@link #of(ConsumerRecord, Deserializer, Deserializer)}.
     */
    public static <K, V> TestDelivery<K, V> of(@Nullable K key, @Nullable V value) {
        ConsumerRecord<byte[], byte[]> record = record("test", 0, 0, bytes(key), bytes(value), new RecordHeaders());
        return new TestDelivery<>(record, key, value, 1, 0);
    }

    /** The first attempt of {@code record}, decoded as an engine does: a key or value of {@code null} stays one. */
    public static <K, V> TestDelivery<K, V> of(
            ConsumerRecord<byte[], byte[]> record, Deserializer<? extends K> keys, Deserializer<? extends V> values) {
        K key = record.key() == null ? null : keys.deserialize(record.topic(), record.headers(), record.key());
        V value = record.value() == null ? null : values.deserialize(record.topic(), record.headers(), record.value());
        return new TestDelivery<>(record, key, value, 1, 0);
    }

    /** The same record at another place. */
    public TestDelivery<K, V> at(String topic, int partition, long offset) {
        return new TestDelivery<>(
                record(topic, partition, offset, record.key(), record.value(), new RecordHeaders(record.headers())),
                key,
                value,
                attempt,
                incarnation);
    }

    /** The same with one header more. */
    public TestDelivery<K, V> withHeader(String name, String text) {
        TestDelivery<K, V> more = at(record.topic(), record.partition(), record.offset());
        more.record.headers().add(name, text.getBytes(UTF_8));
        return more;
    }

    /** Another attempt of the same record, counted from 1. */
    public TestDelivery<K, V> withAttempt(int number) {
        if (number < 1) {
            throw new IllegalArgumentException("the attempt must be at least 1: " + number);
        }
        return new TestDelivery<>(record, key, value, number, incarnation);
    }

    /** The same record in another life of its stream; see {@link FencingToken}. */
    public TestDelivery<K, V> withIncarnation(int number) {
        if (number < 0) {
            throw new IllegalArgumentException("the incarnation must not be negative: " + number);
        }
        return new TestDelivery<>(record, key, value, attempt, number);
    }

    /** What the handler has emitted, in order; a copy. */
    public synchronized List<ProducerRecord<byte[], byte[]>> outputs() {
        return List.copyOf(outputs);
    }

    /** Cancels the attempt, as a timeout does; but what was registered for it runs before this returns, on this thread. */
    public void cancel() {
        List<Runnable> due;
        synchronized (this) {
            if (ended) {
                return;
            }
            cancelled = true;
            due = List.copyOf(actions);
            actions.clear();
        }
        due.forEach(Runnable::run);
    }

    /** Ends the attempt: what is emitted from now on is refused. */
    public synchronized void end() {
        ended = true;
    }

    @Override
    public ConsumerRecord<byte[], byte[]> record() {
        return record;
    }

    @Override
    public @Nullable K key() {
        return key;
    }

    @Override
    public @Nullable V value() {
        return value;
    }

    @Override
    public int attempt() {
        return attempt;
    }

    /** 1, always. */
    @Override
    public int epoch() {
        return 1;
    }

    @Override
    public FencingToken token() {
        return new FencingToken(incarnation, record.topic(), record.partition(), record.offset());
    }

    /** The beginning of 1970, always. */
    @Override
    public Instant startedAt() {
        return Instant.EPOCH;
    }

    @Override
    public synchronized boolean cancelled() {
        return cancelled;
    }

    /** Runs {@code action} in {@link #cancel}; at once, on this thread, if that was called already. */
    @Override
    public void onCancel(Runnable action) {
        Objects.requireNonNull(action, "action");
        synchronized (this) {
            if (!cancelled) {
                actions.add(action);
                return;
            }
        }
        action.run();
    }

    @Override
    public synchronized void emit(ProducerRecord<byte[], byte[]> output) {
        Objects.requireNonNull(output, "output");
        if (ended) {
            throw new IllegalStateException(this + " has ended and can't emit any more");
        }
        outputs.add(output);
    }

    @Override
    public String toString() {
        return "attempt " + attempt + " of " + record.topic() + "-" + record.partition() + "@" + record.offset();
    }

    private static ConsumerRecord<byte[], byte[]> record(
            String topic,
            int partition,
            long offset,
            byte @Nullable [] key,
            byte @Nullable [] value,
            RecordHeaders headers) {
        return new ConsumerRecord<>(
                topic,
                partition,
                offset,
                0,
                TimestampType.CREATE_TIME,
                ConsumerRecord.NULL_SIZE,
                ConsumerRecord.NULL_SIZE,
                key,
                value,
                headers,
                Optional.empty());
    }

    private static byte @Nullable [] bytes(@Nullable Object decoded) {
        if (decoded == null || decoded instanceof byte[]) {
            return (byte[]) decoded;
        }
        return decoded.toString().getBytes(UTF_8);
    }
}
