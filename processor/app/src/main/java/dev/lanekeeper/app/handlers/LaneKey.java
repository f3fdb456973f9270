package dev.lanekeeper.app.handlers;

import dev.lanekeeper.app.config.LanekeeperConfig;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Where the key that jobs are ordered by is found in a record. Immutable.
 *
 * @param header the header that holds it; empty if it is the record key
 */
public record LaneKey(Optional<String> header) {
    /** As {@code lanekeeper.lane.key} says. */
    public static LaneKey of(LanekeeperConfig config) {
        return new LaneKey(config.laneKeyHeader());
    }

    /** The lane key of {@code record}; {@code null} if it has none. */
    public byte @Nullable [] bytes(ConsumerRecord<byte[], byte[]> record) {
        if (header.isEmpty()) {
            return record.key();
        }
        Header last = record.headers().lastHeader(header.get());
        return last == null ? null : last.value();
    }

    /** The lane key as UTF-8 text; {@code null} if there is none. */
    public @Nullable String text(ConsumerRecord<byte[], byte[]> record) {
        byte[] bytes = bytes(record);
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }
}
