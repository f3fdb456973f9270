package dev.lanekeeper.streams;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One violation, and the record it is about. Immutable.
 *
 * @param kind which promise is broken
 * @param customer the customer, from the record's key; empty if it has none
 * @param topic topic of the record sent; for {@link Kind#UNDECODABLE} of the outcome itself
 * @param partition its partition
 * @param offset its offset
 * @param instance who wrote the outcome; {@code null} where there is none
 * @param epoch the epoch it was written under; {@code null} where there is none
 * @param detail what was expected and what came instead, in words
 */
public record Finding(
        Kind kind,
        String customer,
        String topic,
        int partition,
        long offset,
        @Nullable String instance,
        @Nullable Integer epoch,
        String detail) {

    /** The promises that can be broken. */
    public enum Kind {
        /** A record was sent and has no outcome. */
        LOSS,
        /** One instance, in one epoch, wrote a second outcome of a record. */
        DUPLICATE,
        /** An outcome came after that of a later record of the customer. */
        REORDER,
        /** Two runs of one customer intersect in time, or an owner wrote that had been replaced. */
        OVERLAP,
        /** An outcome for a record that was not sent. */
        UNKNOWN,
        /** A record among the outcomes that is no outcome. */
        UNDECODABLE;

        /** The name in JSON. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Checks that what must be there is. */
    public Finding {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(customer, "customer");
        Objects.requireNonNull(topic, "topic");
        Objects.requireNonNull(detail, "detail");
    }

    byte[] json(JsonMapper mapper) {
        ObjectNode object = mapper.createObjectNode();
        object.put("type", "finding");
        object.put("kind", kind.text());
        object.put("customerId", customer);
        object.put("topic", topic);
        object.put("partition", partition);
        object.put("offset", offset);
        if (instance != null) {
            object.put("instance", instance);
        }
        if (epoch != null) {
            object.put("epoch", epoch);
        }
        object.put("detail", detail);
        try {
            return mapper.writeValueAsBytes(object);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a finding cannot be written as JSON: " + this, e);
        }
    }
}
