package dev.lanekeeper.message;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Work that holds several customers' lanes at once.
 *
 * @param id the command's own name, not blank
 * @param customerIds the customers, at least one, none blank, in the sender's order
 * @param kind what is to be done, not blank
 * @param submittedAt when the sender made it
 * @param payload a JSON object that only the handler understands
 * @param unknown fields this version does not know
 */
public record BulkCommand(
        String id,
        List<String> customerIds,
        String kind,
        Instant submittedAt,
        JsonNode payload,
        Map<String, JsonNode> unknown)
        implements Message {
    static final String TYPE = "bulk";
    static final Set<String> FIELDS = Set.of("type", "id", "customerIds", "kind", "submittedAt", "payload");

    /** Checks the components; a message names the one at fault and its value. */
    public BulkCommand {
        Check.text("id", id);
        customerIds = List.copyOf(customerIds);
        if (customerIds.isEmpty()) {
            throw Check.wrong("customerIds", "a list of at least one customer id", "[]");
        }
        for (String customerId : customerIds) {
            Check.text("customerIds", customerId);
        }
        Check.text("kind", kind);
        Objects.requireNonNull(submittedAt, "submittedAt");
        Check.object("payload", payload);
        unknown = Check.unknown(unknown, FIELDS);
    }

    @Override
    public String type() {
        return TYPE;
    }
}
