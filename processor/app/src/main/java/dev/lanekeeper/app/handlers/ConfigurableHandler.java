package dev.lanekeeper.app.handlers;

import java.util.Map;

/** A handler, named by its class in the configuration, that has settings of its own. */
public interface ConfigurableHandler {
    /**
     * Called once, before the first record.
     *
     * @param settings every setting whose key begins with {@code handler.}, by its full key
     * @throws IllegalArgumentException if a setting is wrong; the message names the key, the value and what is allowed,
     *     and the process ends with it
     */
    void configure(Map<String, String> settings);
}
