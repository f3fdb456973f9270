package dev.lanekeeper.engine;

import dev.lanekeeper.engine.intake.Assignment;
import java.time.Instant;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The part of a record's ticket that says what its handler gets. Written by whoever has the record, and handed along with
 * it.
 */
abstract class DeliveredTicket<K, V> extends WatchedTicket {
    final Walk<K, V> walk;
    private int attempts;

    /** When the first attempt began, in nanoseconds since 1970; 0 before. */
    private long startedAtNanos;

    private @Nullable K key;
    private @Nullable V value;

    DeliveredTicket(
            Walk<K, V> walk,
            ConsumerRecord<byte[], byte[]> record,
            Assignment assignment,
            long sequence,
            Bytes laneKey) {
        super(record, assignment, sequence, laneKey);
        this.walk = walk;
    }

    /** Whether it has been started before; from now on it has. */
    final boolean startedBefore() {
        if (startedAtNanos != 0) {
            return true;
        }
        startedAtNanos = SteadyClock.epochNanos(walk.clock());
        return false;
    }

    /** Why it can't be decoded; {@code null} if it can, and is. */
    final @Nullable Throwable decode() {
        try {
            key = walk.key(record());
            value = walk.value(record());
            return null;
        } catch (Throwable t) { // a deserializer is foreign code
            return t;
        }
    }

    /** Decodes before its turn has come; {@code false} if that fails, as it will in its turn. */
    final boolean decodesAhead() {
        if (startedAtNanos == 0) {
            if (decode() != null) {
                return false;
            }
            startedAtNanos = SteadyClock.epochNanos(walk.clock());
        }
        return true;
    }

    /** Another attempt begins; the number of it. */
    final int nextAttempt() {
        return ++attempts;
    }

    void forgetAttempts() {
        attempts = 0;
    }

    /** How many of its attempts the retry policy counts. */
    int tries() {
        return attempts;
    }

    @Override
    final int attempts() {
        return attempts;
    }

    @Nullable
    final K key() {
        return key;
    }

    @Nullable
    final V value() {
        return value;
    }

    final int incarnation() {
        return walk.incarnation();
    }

    final Instant startedAt() {
        return startedAtNanos == 0 ? walk.clock().instant() : Instant.ofEpochSecond(0, startedAtNanos);
    }
}
