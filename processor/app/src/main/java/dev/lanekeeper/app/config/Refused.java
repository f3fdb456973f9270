package dev.lanekeeper.app.config;

import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Client settings that would break what the engine promises, each with the reason. */
final class Refused {
    private static final String COMMITS = "offsets are committed when a job is finished, not when it is read";
    private static final String BYTES =
            "records are read and written as bytes; lanekeeper.handler decides what they mean";
    private static final String DURABLE = "a job is finished only when its outcome is safe";

    private record Rule(Predicate<String> allowed, String use, String reason) {}

    private static final Rule NEVER = new Rule(value -> false, "leave it out", BYTES);

    private static final Map<String, Rule> CONSUMER = Map.of(
            "enable.auto.commit", new Rule("false"::equalsIgnoreCase, "leave it out", COMMITS),
            "key.deserializer", NEVER,
            "value.deserializer", NEVER);

    private static final Map<String, Rule> PRODUCER = Map.of(
            "key.serializer", NEVER,
            "value.serializer", NEVER,
            "acks", new Rule(value -> value.equals("all") || value.equals("-1"), "use all", DURABLE),
            "enable.idempotence", new Rule("true"::equalsIgnoreCase, "leave it out", DURABLE + ", once and in order"),
            "transactional.id",
                    new Rule(value -> false, "leave it out", "lanekeeper.delivery decides about transactions"));

    private Refused() {}

    static void check(String key, Setting setting, String groupId) {
        String name = key.substring(key.indexOf('.') + 1);
        boolean all = key.startsWith(Client.ALL);
        if (all || key.startsWith(Client.CONSUMER.prefix())) {
            check(key, setting, CONSUMER.get(name));
            if (name.equals("group.id") && !setting.value().equals(groupId)) {
                throw refused(key, setting, "set " + Keys.GROUP_ID + " instead", "that is \"" + groupId + "\"");
            }
        }
        if (all || key.startsWith(Client.PRODUCER.prefix())) {
            check(key, setting, PRODUCER.get(name));
        }
    }

    private static void check(String key, Setting setting, @Nullable Rule rule) {
        if (rule != null && !rule.allowed.test(setting.value())) {
            throw refused(key, setting, rule.use, rule.reason);
        }
    }

    private static ConfigurationException refused(String key, Setting setting, String use, String reason) {
        return new ConfigurationException(
                key + ": \"" + setting.value() + "\" is not allowed" + setting.origin() + "; " + use + ": " + reason);
    }
}
