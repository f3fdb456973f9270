package dev.lanekeeper.app.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/** What a value may be: a check, and the words for it that errors and the generated page share. Immutable. */
final class Allowed implements ConfigDef.Validator {
    private static final Pattern TOPIC = Pattern.compile("(?!\\.{1,2}$)[a-zA-Z0-9._-]{1,249}");
    private static final String TOPIC_WORDS = "up to 249 of letters, digits, '.', '_' and '-'";
    private static final Pattern HEADER = Pattern.compile("header:.+");

    private final String words;
    private final Predicate<Object> check;

    private Allowed(String words, Predicate<Object> check) {
        this.words = words;
        this.check = check;
    }

    static Allowed atLeast(long least) {
        return new Allowed(
                "a whole number, at least " + least,
                value -> value instanceof Number number && number.longValue() >= least);
    }

    static Allowed share() {
        return new Allowed("a number from 0 to 1", value -> value instanceof Double d && d >= 0 && d <= 1);
    }

    static Allowed rate() {
        return new Allowed(
                "a number, 0 or more", value -> value instanceof Double d && d >= 0 && !Double.isInfinite(d));
    }

    static Allowed text() {
        return new Allowed("text, not empty", value -> value instanceof String s && !s.isBlank());
    }

    static Allowed oneOf(String... names) {
        List<String> list = List.of(names);
        return new Allowed(String.join(" or ", list), value -> list.contains(String.valueOf(value)));
    }

    static Allowed topic() {
        return new Allowed("a topic name: " + TOPIC_WORDS, Allowed::isTopic);
    }

    static Allowed topics() {
        return new Allowed(
                "topic names, comma-separated, each once; a name is " + TOPIC_WORDS,
                value -> value instanceof Collection<?> list
                        && !list.isEmpty()
                        && list.stream().allMatch(Allowed::isTopic)
                        && new HashSet<>(list).size() == list.size());
    }

    static Allowed laneKey() {
        return new Allowed(
                "key or header:NAME",
                value -> value instanceof String s
                        && (s.equals("key") || HEADER.matcher(s).matches()));
    }

    /** One of {@code names}, or what looks like a class in a package; whether it is there shows when it is made. */
    static Allowed handler(List<String> names) {
        return new Allowed(
                String.join(", ", names) + " or the full name of a class",
                value -> value instanceof String s
                        && (names.contains(s) || s.matches("([\\p{Alpha}_$][\\w$]*\\.)+[\\p{Alpha}_$][\\w$]*")));
    }

    static Allowed httpUrl() {
        return new Allowed("an http or https URL", value -> value instanceof String s && isHttpUrl(s));
    }

    /** Minus one for the broker's default, or a count. */
    static Allowed replicationFactor() {
        return new Allowed(
                "-1 (the broker's default), or a whole number from 1 to 32767",
                value -> value instanceof Short n && (n == -1 || n >= 1));
    }

    private static boolean isTopic(Object value) {
        return value instanceof String s && TOPIC.matcher(s).matches();
    }

    private static boolean isHttpUrl(String value) {
        try {
            URI uri = new URI(value);
            String scheme = uri.getScheme();
            return uri.getHost() != null && ("http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme));
        } catch (URISyntaxException e) {
            return false;
        }
    }

    @Override
    public void ensureValid(String name, @Nullable Object value) {
        if (value != null && !check.test(value)) {
            throw new ConfigException(name, value, words);
        }
    }

    /** The words, as ConfigDef asks for them. */
    @Override
    public String toString() {
        return words;
    }
}
