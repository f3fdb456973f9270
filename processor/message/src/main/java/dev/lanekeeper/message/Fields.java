package dev.lanekeeper.message;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One JSON object, read field by field. A field that is missing or {@code null} is the same: absent. Every refusal is an
 * {@link InvalidMessageException} that names the field, the value and what is allowed.
 */
final class Fields {
    private final ObjectNode object;

    Fields(ObjectNode object) {
        this.object = object;
    }

    @Nullable
    String optionalText(String field) {
        JsonNode value = find(field);
        if (value == null) {
            return null;
        }
        if (!value.isTextual()) {
            throw Check.wrong(field, "a string that is not blank", value.toString());
        }
        Check.text(field, value.textValue());
        return value.textValue();
    }

    String text(String field) {
        String value = optionalText(field);
        if (value == null) {
            throw missing(field, "a string that is not blank");
        }
        return value;
    }

    List<String> texts(String field) {
        JsonNode values = find(field);
        if (values == null) {
            throw missing(field, "a list of at least one customer id");
        }
        if (!values.isArray()) {
            throw Check.wrong(field, "a list of at least one customer id", values.toString());
        }
        List<String> texts = new ArrayList<>(values.size());
        for (JsonNode value : values) {
            if (!value.isTextual()) {
                throw Check.wrong(field, "a list of strings", value.toString());
            }
            texts.add(value.textValue());
        }
        return texts;
    }

    @Nullable
    Long optionalNumber(String field) {
        JsonNode value = find(field);
        if (value == null) {
            return null;
        }
        // a decimal is refused without a look at its size: expanding 1e999999999 would fill the heap
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw Check.wrong(field, "a whole number of 64 bits", value.toString());
        }
        return value.longValue();
    }

    long number(String field) {
        Long value = optionalNumber(field);
        if (value == null) {
            throw missing(field, "a whole number of 64 bits");
        }
        return value;
    }

    int smallNumber(String field) {
        long value = number(field);
        if (value != (int) value) {
            throw Check.wrong(field, "a whole number of 32 bits", String.valueOf(value));
        }
        return (int) value;
    }

    boolean flag(String field) {
        JsonNode value = find(field);
        if (value == null) {
            throw missing(field, "true or false");
        }
        if (!value.isBoolean()) {
            throw Check.wrong(field, "true or false", value.toString());
        }
        return value.booleanValue();
    }

    Instant instant(String field) {
        JsonNode value = find(field);
        if (value == null) {
            throw missing(field, "an ISO-8601 instant such as \"2026-01-02T03:04:05.678Z\"");
        }
        try {
            if (value.isTextual()) {
                return Instant.parse(value.textValue());
            }
        } catch (DateTimeParseException refused) {
            // said below, with the value
        }
        throw Check.wrong(field, "an ISO-8601 instant such as \"2026-01-02T03:04:05.678Z\"", value.toString());
    }

    Outcome.Status status(String field) {
        String text = text(field);
        for (Outcome.Status status : Outcome.Status.values()) {
            if (status.text().equals(text)) {
                return status;
            }
        }
        throw Check.wrong(field, "\"done\", \"failed\" or \"skipped\"", '"' + text + '"');
    }

    JsonNode object(String field) {
        JsonNode value = find(field);
        if (value == null) {
            throw missing(field, "a JSON object");
        }
        Check.object(field, value);
        return value;
    }

    /** The field's value; {@code null} when absent. */
    @Nullable
    JsonNode find(String field) {
        JsonNode value = object.get(field);
        return value == null || value.isNull() ? null : value;
    }

    Map<String, JsonNode> except(Set<String> known) {
        Map<String, JsonNode> others = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            if (!known.contains(field.getKey())) {
                others.put(field.getKey(), field.getValue());
            }
        }
        return others;
    }

    private static InvalidMessageException missing(String field, String allowed) {
        return new InvalidMessageException(field + " is missing: it must be " + allowed);
    }
}
