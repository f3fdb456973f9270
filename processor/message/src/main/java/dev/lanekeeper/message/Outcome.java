package dev.lanekeeper.message;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How one record ended, for one customer.
 *
 * @param jobId the job's or bulk command's id; {@code null} if the record could not be decoded
 * @param customerId the customer; {@code null} if the record names none
 * @param seq the job's sequence number, if it has one
 * @param status how it ended
 * @param attempt attempts made, 0 if the handler was never called
 * @param instance the processor instance that wrote this
 * @param epoch the assignment epoch that instance held the partition under, -1 if it has none
 * @param topic topic of the record this is for
 * @param partition partition of the record this is for
 * @param offset offset of the record this is for
 * @param startedAt when the first attempt began, on the instance's clock; nothing is promised if that clock steps back
 * @param endedAt when the last attempt ended, on the same clock
 * @param bulk whether the record is a bulk command
 * @param result what the handler says about it
 * @param unknown fields this version does not know
 */
public record Outcome(
        @Nullable String jobId,
        @Nullable String customerId,
        @Nullable Long seq,
        Status status,
        int attempt,
        String instance,
        int epoch,
        String topic,
        int partition,
        long offset,
        Instant startedAt,
        Instant endedAt,
        boolean bulk,
        @Nullable JsonNode result,
        Map<String, JsonNode> unknown)
        implements Message {
    static final String TYPE = "outcome";
    static final Set<String> FIELDS = Set.of(
            "type",
            "jobId",
            "customerId",
            "seq",
            "status",
            "attempt",
            "instance",
            "epoch",
            "topic",
            "partition",
            "offset",
            "startedAt",
            "endedAt",
            "bulk",
            "result");

    /** How a record ended; in JSON in lower case. */
    public enum Status {
        /** Handled. */
        DONE,
        /** Failed for good; a dead letter holds the record. */
        FAILED,
        /** An operator had it left out. */
        SKIPPED;

        /** The name in JSON. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Checks the components; a message names the one at fault and its value. */
    public Outcome {
        if (jobId != null) {
            Check.text("jobId", jobId);
        }
        if (customerId != null) {
            Check.text("customerId", customerId);
        }
        if (seq != null) {
            Check.atLeast("seq", 1, seq);
        }
        Objects.requireNonNull(status, "status");
        Check.atLeast("attempt", 0, attempt);
        Check.text("instance", instance);
        Check.atLeast("epoch", -1, epoch);
        Check.text("topic", topic);
        Check.atLeast("partition", 0, partition);
        Check.atLeast("offset", 0, offset);
        Objects.requireNonNull(startedAt, "startedAt");
        Objects.requireNonNull(endedAt, "endedAt");
        unknown = Check.unknown(unknown, FIELDS);
    }

    @Override
    public String type() {
        return TYPE;
    }
}
