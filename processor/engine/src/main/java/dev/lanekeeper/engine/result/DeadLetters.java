package dev.lanekeeper.engine.result;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/** Makes the record that is set aside for a record that failed for good. Immutable, thread-safe. */
public final class DeadLetters {
    private static final String PREFIX = "lanekeeper.";
    private static final int MESSAGE_CHARS = 1000;
    private static final int TRUNCATED_BYTES = 1024;
    private static final int TRUNCATED_HEADER_BYTES = 16 * 1024;

    private final String topic;
    private final InstantSource clock;

    /** Dead letters go to {@code topic}. */
    public DeadLetters(String topic, InstantSource clock) {
        this.topic = topic;
        this.clock = clock;
    }

    /**
     * The original key, value and headers, with headers that say where the record came from and why it is here.
     *
     * @param stage where it failed, see the {@code lanekeeper.error.stage} header
     * @param attempts handler attempts made
     */
    public ProducerRecord<byte[], byte[]> letter(
            ConsumerRecord<byte[], byte[]> origin, String stage, Throwable cause, int attempts) {
        Headers headers = new RecordHeaders(origin.headers().toArray());
        put(headers, "error.class", cause.getClass().getName());
        put(headers, "error.message", shortened(messageOf(cause)));
        put(headers, "error.stage", stage);
        put(headers, "attempts", Integer.toString(attempts));
        put(headers, "origin.topic", origin.topic());
        put(headers, "origin.partition", Integer.toString(origin.partition()));
        put(headers, "origin.offset", Long.toString(origin.offset()));
        put(headers, "origin.timestamp", Long.toString(origin.timestamp()));
        put(headers, "failed-at", clock.instant().toString());
        return new ProducerRecord<>(topic, null, origin.key(), origin.value(), headers);
    }

    /**
     * The same letter for a broker that found it too large: the start of the value, its true size and its digest. A key
     * that is longer than that start is cut like it, and original headers are kept as far as a little room goes: whatever
     * it was that was too large, this is small.
     */
    public ProducerRecord<byte[], byte[]> truncated(ProducerRecord<byte[], byte[]> letter) {
        byte[] value = letter.value() == null ? new byte[0] : letter.value();
        Headers headers = smallOnes(letter.headers());
        put(headers, "truncated.from-bytes", Integer.toString(value.length));
        put(headers, "truncated.sha256", sha256(value));
        byte[] key = letter.key();
        if (key != null && key.length > TRUNCATED_BYTES) {
            put(headers, "truncated.key.from-bytes", Integer.toString(key.length));
            put(headers, "truncated.key.sha256", sha256(key));
            key = start(key);
        }
        return new ProducerRecord<>(letter.topic(), null, key, start(value), headers);
    }

    private static byte[] start(byte[] bytes) {
        return Arrays.copyOf(bytes, Math.min(bytes.length, TRUNCATED_BYTES));
    }

    /** What this class wrote, and of the others those that fit; a header says how many do not. */
    private static Headers smallOnes(Headers all) {
        Headers kept = new RecordHeaders();
        int room = TRUNCATED_HEADER_BYTES;
        int left = 0;
        for (Header header : all) {
            int size = header.key().length() + (header.value() == null ? 0 : header.value().length);
            if (header.key().startsWith(PREFIX) && size <= TRUNCATED_HEADER_BYTES) {
                kept.add(header);
            } else if (size <= room) {
                room -= size;
                kept.add(header);
            } else {
                left++;
            }
        }
        if (left > 0) {
            put(kept, "truncated.headers", Integer.toString(left));
        }
        return kept;
    }

    private static void put(Headers headers, String name, String value) {
        String key = PREFIX + name;
        headers.remove(key); // of an earlier life as a dead letter
        headers.add(key, value.getBytes(StandardCharsets.UTF_8));
    }

    private static @Nullable String messageOf(Throwable cause) {
        try {
            return cause.getMessage();
        } catch (Throwable t) { // foreign code, in a record's last moment: the letter must be written all the same
            return "its message could not be read: " + t.getClass().getName();
        }
    }

    private static String shortened(@Nullable String message) {
        if (message == null) {
            return "";
        }
        return message.length() <= MESSAGE_CHARS ? message : message.substring(0, MESSAGE_CHARS) + "…";
    }

    private static String sha256(byte[] value) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(value));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
