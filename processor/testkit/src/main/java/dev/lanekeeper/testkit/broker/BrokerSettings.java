package dev.lanekeeper.testkit.broker;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link EmbeddedKafka} is started with. Immutable; begin with {@link #DEFAULTS}.
 *
 * @param port the port clients connect to, from 1 to 65535; 0 takes a free one
 * @param directory where the data is kept when the broker closes; {@code null} for a temporary folder, deleted then
 * @param overrides broker settings, by their Kafka names, that replace or add to those for a small single node
 */
public record BrokerSettings(int port, @Nullable Path directory, Map<String, String> overrides) {
    /** A free port, a temporary folder. */
    public static final BrokerSettings DEFAULTS = new BrokerSettings(0, null, Map.of());

    /** Checks the components; each message names the one at fault and its value. */
    public BrokerSettings {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port must be from 0 (any free one) to 65535: " + port);
        }
        if (directory != null && Files.exists(directory) && !Files.isDirectory(directory)) {
            throw new IllegalArgumentException("directory must be a folder, or not exist yet: " + directory);
        }
        overrides = Map.copyOf(overrides);
    }

    /** These settings with another port; 0 takes a free one. */
    public BrokerSettings onPort(int newPort) {
        return new BrokerSettings(newPort, directory, overrides);
    }

    /** These settings with the data kept in {@code newDirectory}; what an earlier broker left there is served again. */
    public BrokerSettings keptIn(Path newDirectory) {
        return new BrokerSettings(port, newDirectory, overrides);
    }

    /** These settings with the broker setting {@code name}, as Kafka spells it, set to {@code value}. */
    public BrokerSettings with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(overrides);
        more.put(name, value);
        return new BrokerSettings(port, directory, more);
    }
}
