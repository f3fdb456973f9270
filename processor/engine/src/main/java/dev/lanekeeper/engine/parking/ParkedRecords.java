package dev.lanekeeper.engine.parking;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * How a parked record looks. Its key in the parking topic is the place it came from, so that a record which is parked twice
 * is there once, and a record without a value under that key takes it out again. Where it came from and what it was is in
 * headers that begin with {@code lanekeeper.parked.}; without them it is the original again, byte for byte. Immutable.
 */
public final class ParkedRecords {
    private static final String PREFIX = "lanekeeper.parked.";
    private static final String GROUP = PREFIX + "group";
    private static final String LANE = PREFIX + "lane";
    private static final String TOPIC = PREFIX + "topic";
    private static final String PARTITION = PREFIX + "partition";
    private static final String OFFSET = PREFIX + "offset";
    private static final String TIMESTAMP = PREFIX + "timestamp";

    /** The original key; left out if it has none. */
    private static final String KEY = PREFIX + "key";

    /** Says that the original has no value, which in this topic would take the record out. */
    private static final String NO_VALUE = PREFIX + "no-value";

    private static final String CAUSE = PREFIX + "cause";
    private static final int CAUSE_CHARS = 1000;

    private final String topic;
    private final String group;

    /** For what {@code group} parks in {@code topic}. */
    public ParkedRecords(String topic, String group) {
        this.topic = topic;
        this.group = group;
    }

    /**
     * A line of the parking topic, read.
     *
     * @param source the partition that the record came from
     * @param offset its offset there
     * @param laneKey whose it is
     * @param gone whether this takes the record out
     * @param cause why it was parked; empty if it was because one before it had been
     */
    public record Line(TopicPartition source, long offset, Bytes laneKey, boolean gone, String cause) {}

    /**
     * {@code origin} as it is parked.
     *
     * @param partition of the parking topic
     * @param cause why; empty if it is parked because one before it was
     */
    public ProducerRecord<byte[], byte[]> parked(
            ConsumerRecord<byte[], byte[]> origin, Bytes laneKey, int partition, String cause) {
        Headers headers = headers(origin.headers(), origin, laneKey);
        put(headers, TIMESTAMP, Long.toString(origin.timestamp()).getBytes(UTF_8));
        put(
                headers,
                CAUSE,
                cause.substring(0, Math.min(cause.length(), CAUSE_CHARS)).getBytes(UTF_8));
        if (origin.key() != null) {
            put(headers, KEY, origin.key());
        }
        byte[] value = origin.value();
        if (value == null) {
            put(headers, NO_VALUE, new byte[0]);
            value = new byte[0];
        }
        return new ProducerRecord<>(topic, partition, place(origin), value, headers);
    }

    /** What takes {@code origin} out of {@code partition} of the parking topic. */
    public ProducerRecord<byte[], byte[]> gone(ConsumerRecord<byte[], byte[]> origin, Bytes laneKey, int partition) {
        Headers headers = headers(new RecordHeaders(), origin, laneKey);
        return new ProducerRecord<>(topic, partition, place(origin), null, headers);
    }

    private Headers headers(Headers original, ConsumerRecord<?, ?> origin, Bytes laneKey) {
        Headers headers = original(original);
        put(headers, GROUP, group.getBytes(UTF_8));
        put(headers, LANE, laneKey.get());
        put(headers, TOPIC, origin.topic().getBytes(UTF_8));
        put(headers, PARTITION, Integer.toString(origin.partition()).getBytes(UTF_8));
        put(headers, OFFSET, Long.toString(origin.offset()).getBytes(UTF_8));
        return headers;
    }

    private byte[] place(ConsumerRecord<?, ?> origin) {
        return (group + ":" + origin.topic() + "-" + origin.partition() + "@" + origin.offset()).getBytes(UTF_8);
    }

    /** Reads a record of the parking topic; {@code null} if another group parked it, or nobody did. */
    public @Nullable Line read(ConsumerRecord<byte[], byte[]> record) {
        byte[] lane = header(record, LANE);
        String source = text(record, TOPIC);
        if (lane == null || source == null || !group.equals(text(record, GROUP))) {
            return null;
        }
        try {
            int partition = Integer.parseInt(String.valueOf(text(record, PARTITION)));
            long offset = Long.parseLong(String.valueOf(text(record, OFFSET)));
            String cause = text(record, CAUSE);
            return new Line(
                    new TopicPartition(source, partition),
                    offset,
                    Bytes.wrap(lane),
                    record.value() == null,
                    cause == null ? "" : cause);
        } catch (NumberFormatException e) { // nothing that this class wrote
            return null;
        }
    }

    /** The record as it was before it was parked. */
    public static ConsumerRecord<byte[], byte[]> original(ConsumerRecord<byte[], byte[]> parked, Line line) {
        byte[] key = header(parked, KEY);
        byte[] value = header(parked, NO_VALUE) == null ? parked.value() : null;
        String timestamp = text(parked, TIMESTAMP);
        return new ConsumerRecord<>(
                line.source().topic(),
                line.source().partition(),
                line.offset(),
                timestamp == null ? ConsumerRecord.NO_TIMESTAMP : Long.parseLong(timestamp),
                TimestampType.CREATE_TIME,
                key == null ? ConsumerRecord.NULL_SIZE : key.length,
                value == null ? ConsumerRecord.NULL_SIZE : value.length,
                key,
                value,
                original(parked.headers()),
                Optional.empty());
    }

    private static Headers original(Headers all) {
        Headers kept = new RecordHeaders();
        for (Header header : all) {
            if (!header.key().startsWith(PREFIX)) {
                kept.add(header);
            }
        }
        return kept;
    }

    private static void put(Headers headers, String name, byte[] value) {
        headers.add(name, value);
    }

    private static byte @Nullable [] header(ConsumerRecord<?, ?> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? null : header.value();
    }

    private static @Nullable String text(ConsumerRecord<?, ?> record, String name) {
        byte[] value = header(record, name);
        return value == null ? null : new String(value, UTF_8);
    }
}
