package dev.lanekeeper.message;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The rules that hold for a field wherever it comes from, JSON or code. */
final class Check {
    private static final int SHOWN_CHARS = 60;

    private Check() {}

    static void text(String field, String value) {
        Objects.requireNonNull(value, field);
        if (value.isBlank()) {
            throw wrong(field, "a string that is not blank", '"' + value + '"');
        }
    }

    static void atLeast(String field, long least, long value) {
        if (value < least) {
            throw wrong(field, "at least " + least, String.valueOf(value));
        }
    }

    static void object(String field, JsonNode value) {
        Objects.requireNonNull(value, field);
        if (!value.isObject()) {
            throw wrong(field, "a JSON object", value.toString());
        }
    }

    /** A copy that nobody can alter; a name that the message has of its own would be written twice. */
    static Map<String, JsonNode> unknown(Map<String, JsonNode> fields, Set<String> known) {
        Objects.requireNonNull(fields, "unknown");
        for (String name : fields.keySet()) {
            if (known.contains(name)) {
                throw wrong("unknown", "names other than " + known, name);
            }
        }
        return fields.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    static InvalidMessageException wrong(String field, String allowed, String value) {
        return new InvalidMessageException(field + " must be " + allowed + ": " + shortened(value));
    }

    static String shortened(String value) {
        return value.length() <= SHOWN_CHARS
                ? value
                : value.substring(0, SHOWN_CHARS) + "… (" + value.length() + " characters)";
    }
}
