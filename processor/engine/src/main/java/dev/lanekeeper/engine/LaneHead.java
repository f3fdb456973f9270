package dev.lanekeeper.engine;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;

/**
 * The record that heads a lane: which customer is held up by what, since when, and what waits behind it.
 *
 * @param laneKey whose lane
 * @param topicPartition where the record comes from
 * @param offset where in it
 * @param since when it came to head the lane, on the engine's clock
 * @param age how long that is, on a clock that does not jump
 * @param attempts that have begun
 * @param doing what it does, or waits for
 * @param lastFailure why the last attempt failed
 * @param thread the thread that its handler's call is on; empty if it is on none
 * @param behind records of the lane that wait for it
 */
public record LaneHead(
        Bytes laneKey,
        TopicPartition topicPartition,
        long offset,
        Instant since,
        Duration age,
        int attempts,
        Doing doing,
        Optional<Throwable> lastFailure,
        Optional<String> thread,
        int behind) {
    /** What the head of a lane does, or waits for. */
    public enum Doing {
        /** Waits until fewer attempts are under way than the concurrency allows. */
        WAITING,
        /** Waits for a rate limit. */
        LIMITED,
        /** Is with its handler. */
        RUNNING,
        /** Is with its handler for longer than that may take. */
        OVERDUE,
        /** Waits for the next attempt. */
        RETRYING,
        /** Waits for its latest failure to pass by itself, and is tried again for a while; see {@code Verdict.HOLD}. */
        HELD,
        /** Waits until its partition is resumed, which it or another record has stopped; or until it is known who is parked. */
        STOPPED,
        /** Its results, its dead letter, or it itself if it is parked, are on the way to the broker. */
        PUBLISHING
    }

    /** The lane's key as text. */
    public String label() {
        return new String(laneKey.get(), StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return label() + ": " + topicPartition + "@" + offset + " " + doing + " for " + age.toMillis()
                + " ms, attempts "
                + attempts + ", " + behind + " behind it"
                + lastFailure.map(failure -> ", last failure " + failure).orElse("");
    }
}
