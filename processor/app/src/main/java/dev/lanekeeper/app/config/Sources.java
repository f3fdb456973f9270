package dev.lanekeeper.app.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.commons.text.StringSubstitutor;

/** Brings file, environment and command line together; later ones win. Confined to the loading thread. */
final class Sources {
    private static final String OWN_PREFIX = "LANEKEEPER_";
    /** The longest slip that is still taken for a misspelt variable; Kubernetes sets many of our prefix by itself. */
    private static final int SLIP = 3;

    private final Map<String, String> environment;
    private final Map<String, Setting> settings = new TreeMap<>();
    private final List<String> warnings = new ArrayList<>();

    private Sources(Map<String, String> environment) {
        this.environment = environment;
    }

    static Sources merge(Map<String, String> file, Map<String, String> environment, Map<String, String> overrides) {
        Sources sources = new Sources(environment);
        file.forEach((key, value) -> sources.add(key, value, ""));
        sources.addEnvironment();
        overrides.forEach((key, value) -> sources.add(key, value, " (from --set)"));
        return sources;
    }

    Map<String, Setting> settings() {
        return settings;
    }

    List<String> warnings() {
        return warnings;
    }

    private void add(String rawKey, String value, String origin) {
        String key = rawKey.strip();
        settings.put(key, new Setting(expand(key, value.strip(), origin), origin));
    }

    /** Values from the environment are taken as they are: a password may hold what looks like a variable. */
    private void addEnvironment() {
        Map<String, String> keys = variables();
        environment.forEach((variable, value) -> {
            String key = keys.get(variable);
            if (key != null) {
                settings.put(key, new Setting(value.strip(), " (from " + variable + ")"));
            } else if (variable.startsWith(OWN_PREFIX)) {
                warnOfSlip(variable, keys);
            }
        });
    }

    private void warnOfSlip(String variable, Map<String, String> keys) {
        Nearest nearest = Nearest.of(variable, keys.keySet());
        if (nearest.distance() <= SLIP) {
            warnings.add("environment variable " + variable + " sets nothing; did you mean " + nearest.name() + "?");
        }
    }

    private static Map<String, String> variables() {
        Map<String, String> keys = new TreeMap<>();
        for (Client client : Client.values()) {
            client.names().forEach(name -> keys.put(variable(client.prefix() + name), client.prefix() + name));
            client.names().forEach(name -> keys.put(variable(Client.ALL + name), Client.ALL + name));
        }
        Definition.create().names().forEach(key -> keys.put(variable(key), key));
        return keys;
    }

    /** The environment's name for {@code key}: upper case, and an underscore for each dot. */
    private static String variable(String key) {
        return key.replace('.', '_').toUpperCase(Locale.ROOT);
    }

    private String expand(String key, String value, String origin) {
        AtomicReference<String> asked = new AtomicReference<>("");
        StringSubstitutor substitutor = new StringSubstitutor((String name) -> {
                    asked.set(name);
                    return environment.get(name);
                })
                .setEnableUndefinedVariableException(true)
                .setDisableSubstitutionInValues(true);
        try {
            return substitutor.replace(value);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(
                    key + ": environment variable " + asked.get() + " is not set, which \"" + value + "\" needs"
                            + origin + "; set it, or give a default as in ${NAME:-default}",
                    e);
        }
    }
}
