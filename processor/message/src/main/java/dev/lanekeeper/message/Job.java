package dev.lanekeeper.message;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Work for one customer.
 *
 * @param id the job's own name, not blank
 * @param customerId whose lane it runs in, not blank
 * @param kind what is to be done, not blank
 * @param submittedAt when the sender made it
 * @param seq 1, 2, 3, … per customer, stamped by ingest; {@code null} before
 * @param payload a JSON object that only the handler understands
 * @param unknown fields this version does not know
 */
public record Job(
        String id,
        String customerId,
        String kind,
        Instant submittedAt,
        @Nullable Long seq,
        JsonNode payload,
        Map<String, JsonNode> unknown)
        implements Message {
    static final String TYPE = "job";
    static final Set<String> FIELDS = Set.of("type", "id", "customerId", "kind", "submittedAt", "seq", "payload");

    /** Checks the components; a message names the one at fault and its value. */
    public Job {
        Check.text("id", id);
        Check.text("customerId", customerId);
        Check.text("kind", kind);
        Objects.requireNonNull(submittedAt, "submittedAt");
        if (seq != null) {
            Check.atLeast("seq", 1, seq);
        }
        Check.object("payload", payload);
        unknown = Check.unknown(unknown, FIELDS);
    }

    @Override
    public String type() {
        return TYPE;
    }
}
