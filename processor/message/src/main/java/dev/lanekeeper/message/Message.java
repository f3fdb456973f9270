package dev.lanekeeper.message;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/**
 * One value that travels as JSON. Implementations are immutable as long as nobody alters the JSON trees they were given:
 * those are shared, not copied.
 */
public sealed interface Message permits Job, BulkCommand, Outcome {
    /** What the {@code type} field says. */
    String type();

    /** The fields this version does not know, in the order they came; written back as they are. */
    Map<String, JsonNode> unknown();
}
