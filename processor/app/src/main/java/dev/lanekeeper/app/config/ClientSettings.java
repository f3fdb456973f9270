package dev.lanekeeper.app.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** The settings that pass through to Kafka's clients, checked with the clients' own definitions. Immutable. */
final class ClientSettings {
    /** A name at most this far from a known one is taken for a slip; others may belong to a plug-in. */
    private static final int SLIP = 2;

    private final Map<String, Setting> settings;
    private final List<String> warnings = new ArrayList<>();

    /** Takes from {@code settings} what has a client's prefix. */
    ClientSettings(Map<String, Setting> settings, String groupId) {
        this.settings = settings.entrySet().stream()
                .filter(entry -> isClientKey(entry.getKey()))
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
        this.settings.forEach((key, setting) -> {
            Refused.check(key, setting, groupId);
            checkValue(key, setting);
        });
        checkServers();
    }

    static boolean isClientKey(String key) {
        return key.startsWith(Client.ALL)
                || Arrays.stream(Client.values()).anyMatch(client -> key.startsWith(client.prefix()));
    }

    /** Whether {@code name}, without prefix, is a setting of some client. */
    static boolean isClientName(String name) {
        return Arrays.stream(Client.values()).anyMatch(client -> client.names().contains(name));
    }

    /** What {@code client} is to be created with: what all get, if it is not known to belong to others, then its own. */
    Map<String, Object> of(Client client) {
        Map<String, Object> all = new HashMap<>();
        settings.forEach((key, setting) -> {
            if (key.startsWith(Client.ALL) && concerns(client, nameOf(key))) {
                all.put(nameOf(key), setting.value());
            }
        });
        settings.forEach((key, setting) -> {
            if (key.startsWith(client.prefix())) {
                all.put(nameOf(key), setting.value());
            }
        });
        return all;
    }

    List<String> warnings() {
        return List.copyOf(warnings);
    }

    private static boolean concerns(Client client, String name) {
        return client.names().contains(name) || client == Client.STREAMS || !isClientName(name);
    }

    private void checkServers() {
        Setting servers = settings.get(Keys.BOOTSTRAP_SERVERS);
        if (servers == null) {
            throw new ConfigurationException(
                    Keys.BOOTSTRAP_SERVERS + " is not set; it names Kafka's brokers as host:port, comma-separated");
        }
        for (String server : servers.value().split(",", -1)) {
            if (!server.strip().matches(".+:\\d{1,5}")) {
                throw new ConfigurationException(Keys.BOOTSTRAP_SERVERS + ": \"" + servers.value() + "\" is not allowed"
                        + servers.origin() + "; use host:port, comma-separated");
            }
        }
    }

    private void checkValue(String key, Setting setting) {
        String name = nameOf(key);
        List<Client> takers = Arrays.stream(Client.values())
                .filter(client -> key.startsWith(Client.ALL) || key.startsWith(client.prefix()))
                .toList();
        List<ConfigDef.ConfigKey> known = takers.stream()
                .filter(client -> client.names().contains(name))
                .map(client -> client.definition().configKeys().get(name))
                .toList();
        for (ConfigDef.ConfigKey taken : known) {
            check(key, setting, taken);
        }
        if (known.isEmpty()) {
            warnOfSlip(key, name, takers);
        }
    }

    private static void check(String key, Setting setting, ConfigDef.ConfigKey definition) {
        try {
            Object value = ConfigDef.parseType(definition.name, setting.value(), definition.type);
            if (definition.validator != null) {
                definition.validator.ensureValid(definition.name, value);
            }
        } catch (ConfigException e) {
            throw new ConfigurationException(key + setting.origin() + ": " + e.getMessage(), e);
        }
    }

    private void warnOfSlip(String key, String name, List<Client> takers) {
        Set<String> known =
                takers.stream().flatMap(client -> client.names().stream()).collect(Collectors.toSet());
        Nearest nearest = Nearest.of(name, known);
        if (nearest.distance() <= SLIP) {
            String prefix = key.substring(0, key.length() - name.length());
            warnings.add(key + " is no setting that Kafka knows; did you mean " + prefix + nearest.name() + "?");
        }
    }

    private static String nameOf(String key) {
        return key.substring(key.indexOf('.') + 1);
    }
}
