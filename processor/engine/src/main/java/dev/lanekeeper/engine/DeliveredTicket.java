package dev.lanekeeper.engine;

import dev.lanekeeper.engine.handler.FailureStage;
import dev.lanekeeper.engine.handler.FinalResult;
import dev.lanekeeper.engine.handler.OnFailure;
import dev.lanekeeper.engine.intake.Assignment;
import java.time.Duration;
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

    private boolean decoded;

    /** {@code null} until it is held for the first time. */
    private @Nullable Held held;

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

    final boolean isDecoded() {
        return decoded;
    }

    /** Why it can't be decoded, and may be later; {@code null} if it is. */
    final @Nullable Throwable decode() {
        if (startedAtNanos == 0) {
            startedAtNanos = SteadyClock.epochNanos(walk.clock());
        }
        try {
            key = walk.key(record());
            value = walk.value(record());
        } catch (Throwable t) { // a deserializer is foreign code
            return t;
        }
        decoded = true;
        held = null;
        return null;
    }

    /** Decodes before its turn has come; {@code false} if that fails, as it may in its turn. */
    final boolean decodesAhead() {
        boolean first = startedAtNanos == 0;
        if (decoded || decode() == null) {
            return true;
        }
        if (first) {
            startedAtNanos = 0; // its turn is its start
        }
        return false;
    }

    /** How long to wait until it is tried again after this failure; {@code null} if it has failed for good. */
    final @Nullable Duration delayAfter(FailureStage stage, Throwable cause) {
        if (cause instanceof OutOfMemoryError) { // nothing is certain after it
            return null;
        }
        if (walk.judge().holds(this, stage, cause)) {
            if (held == null) {
                held = new Held(startedNanos());
            }
            held.tried(startedNanos());
            if (stage == FailureStage.DECODE) { // of other attempts it is said anyway
                walk.counters().complaints().failed(this, held.tries(), cause);
            }
            return walk.judge().delayWhileHeld(this, held, cause);
        }
        int heldTries = 0; // which don't use up the others
        if (held != null) {
            held.over();
            heldTries = held.tries();
        }
        return stage == FailureStage.DECODE ? null : walk.judge().delayAfter(this, tries() - heldTries, cause);
    }

    /** What it does when it waits for its next try. */
    final LaneHead.Doing betweenTries() {
        return held() ? LaneHead.Doing.HELD : LaneHead.Doing.RETRYING;
    }

    /** What follows a failure that nothing follows in its lane. */
    final OnFailure afterLast(FinalResult.Failure failure) {
        return failure.stage() == FailureStage.DECODE && !held()
                ? OnFailure.SKIP_TO_DEAD_LETTERS
                : walk.judge().afterLast(this, failure.cause());
    }

    /** Whether its latest failure is one that it is, or was, held for. */
    private boolean held() {
        return held != null && held.now();
    }

    /** If it is held again, that begins anew. */
    final void forgetHold() {
        held = null;
    }

    /** Nothing can go on from this, and nobody else would learn that this record is stuck. */
    final void stuck(Throwable cause) {
        does(LaneHead.Doing.PUBLISHING); // no handler is at work on it
        walk.fatal().accept(cause);
    }

    /** Another attempt begins; the number of it. */
    final int nextAttempt() {
        return ++attempts;
    }

    void forgetAttempts() {
        attempts = 0;
        forgetHold();
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
