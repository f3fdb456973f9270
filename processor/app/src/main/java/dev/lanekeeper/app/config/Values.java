package dev.lanekeeper.app.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/** The values of the declared keys, each checked alone and then together. Immutable. */
final class Values {
    static final String HANDLER_PREFIX = "handler.";

    /** What {@code lanekeeper.handler} may name besides a class. */
    static final List<String> READY_MADE = List.of("http");

    private final Map<String, Setting> settings;
    private final ConfigDef definition = Definition.create();
    private final Map<String, @Nullable Object> values = new HashMap<>();

    Values(Map<String, Setting> settings) {
        this.settings = settings;
        definition.configKeys().values().forEach(key -> values.put(key.name, value(key)));
        settings.keySet().forEach(this::checkKnown);
        checkTogether();
    }

    String text(String key) {
        return (String) Objects.requireNonNull(values.get(key), key);
    }

    Optional<String> optional(String key) {
        return Optional.ofNullable((String) values.get(key));
    }

    long whole(String key) {
        return ((Number) Objects.requireNonNull(values.get(key), key)).longValue();
    }

    double fraction(String key) {
        return (Double) Objects.requireNonNull(values.get(key), key);
    }

    Duration millis(String key) {
        return Duration.ofMillis(whole(key));
    }

    List<String> list(String key) {
        return ((List<?>) Objects.requireNonNull(values.get(key), key))
                .stream().map(String::valueOf).toList();
    }

    private @Nullable Object value(ConfigDef.ConfigKey key) {
        Setting setting = settings.get(key.name);
        if (setting == null) {
            return key.defaultValue;
        }
        try {
            Object value = ConfigDef.parseType(key.name, setting.value(), key.type);
            key.validator.ensureValid(key.name, value);
            return value;
        } catch (ConfigException e) {
            throw refused(key.name, key.validator.toString(), e);
        }
    }

    private void checkKnown(String key) {
        boolean custom = key.startsWith(HANDLER_PREFIX) && !READY_MADE.contains(text(Keys.HANDLER));
        if (definition.names().contains(key) || ClientSettings.isClientKey(key) || custom) {
            return;
        }
        String nearest;
        if (ClientSettings.isClientName(key)) {
            nearest = Client.ALL + key;
        } else {
            List<String> known = new ArrayList<>(definition.names());
            known.add(Keys.BOOTSTRAP_SERVERS);
            nearest = Nearest.of(key.toLowerCase(Locale.ROOT), known).name();
        }
        throw new ConfigurationException(key + " is not a known key" + origin(key) + "; did you mean " + nearest + "?");
    }

    private void checkTogether() {
        long backoff = whole(Keys.RETRY_BACKOFF_MS);
        if (whole(Keys.RETRY_BACKOFF_MAX_MS) < backoff) {
            String key =
                    settings.containsKey(Keys.RETRY_BACKOFF_MAX_MS) ? Keys.RETRY_BACKOFF_MAX_MS : Keys.RETRY_BACKOFF_MS;
            String other = key.equals(Keys.RETRY_BACKOFF_MS)
                    ? "at most " + Keys.RETRY_BACKOFF_MAX_MS + " (" + whole(Keys.RETRY_BACKOFF_MAX_MS) + ")"
                    : "at least " + Keys.RETRY_BACKOFF_MS + " (" + backoff + ")";
            throw refused(key, "a whole number, " + other, null);
        }
        if (text(Keys.DELIVERY).equals("exactly-once") && text(Keys.ON_FAILURE).equals("park-key")) {
            throw refused(
                    Keys.ON_FAILURE,
                    "skip-to-dead-letters or stop-partition with " + Keys.DELIVERY
                            + " exactly-once, whose transactions " + "don't reach to what is replayed",
                    null);
        }
        Set<String> read = new TreeSet<>(list(Keys.TOPICS));
        for (String key : List.of(Keys.TOPIC_OUTCOMES, Keys.TOPIC_DEAD_LETTERS, Keys.TOPIC_PARKED_RECORDS)) {
            if (read.contains(text(key))) {
                throw refused(
                        key, "a topic that is not in " + Keys.TOPICS + " " + read + ", which would be a loop", null);
            }
        }
        if (text(Keys.TOPIC_OUTCOMES).equals(text(Keys.TOPIC_DEAD_LETTERS))) {
            throw refused(Keys.TOPIC_DEAD_LETTERS, "another topic than " + Keys.TOPIC_OUTCOMES, null);
        }
        for (String key : List.of(Keys.TOPIC_OUTCOMES, Keys.TOPIC_DEAD_LETTERS)) {
            if (text(Keys.TOPIC_PARKED_RECORDS).equals(text(key))) {
                throw refused(Keys.TOPIC_PARKED_RECORDS, "another topic than " + key, null);
            }
        }
    }

    private ConfigurationException refused(String key, String allowed, @Nullable Throwable cause) {
        Setting setting = settings.get(key);
        String value = setting == null ? String.valueOf(values.get(key)) : setting.value();
        return new ConfigurationException(
                key + ": \"" + value + "\" is not allowed" + origin(key) + "; use " + allowed, cause);
    }

    private String origin(String key) {
        Setting setting = settings.get(key);
        return setting == null ? "" : setting.origin();
    }
}
