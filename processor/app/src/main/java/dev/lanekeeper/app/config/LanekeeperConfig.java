package dev.lanekeeper.app.config;

import dev.lanekeeper.engine.handler.FailurePolicy;
import dev.lanekeeper.engine.handler.HandlerTimeout;
import dev.lanekeeper.engine.handler.OnFailure;
import dev.lanekeeper.engine.handler.RateLimit;
import dev.lanekeeper.engine.handler.RetryPolicy;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the user set, checked, with a typed accessor for each key. Immutable.
 *
 * <p>Three sources, of which the later wins: the file; the environment, where a variable is a key in upper case with an
 * underscore for each dot ({@code LANEKEEPER_CONCURRENCY}, {@code HANDLER_HTTP_URL}, {@code KAFKA_BOOTSTRAP_SERVERS};
 * of client settings, those that Kafka knows); what was set on the command line. In values of the first and the last,
 * <code>${NAME}</code> stands for an environment variable and <code>${NAME:-default}</code> gives one that may be unset.
 *
 * <p>Every mistake is a {@link ConfigurationException} from {@code load}, so that what was loaded can be used.
 */
public final class LanekeeperConfig {
    private final Values values;
    private final ClientSettings clients;
    private final Map<String, String> handlerSettings;
    private final List<String> warnings;

    private LanekeeperConfig(Sources sources) {
        Map<String, Setting> settings = sources.settings();
        this.values = new Values(settings);
        this.clients = new ClientSettings(settings, values.text(Keys.GROUP_ID));
        this.handlerSettings = settings.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(Values.HANDLER_PREFIX))
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, entry -> entry.getValue().value()));
        this.warnings = Stream.concat(sources.warnings().stream(), clients.warnings().stream())
                .toList();
    }

    /** Brings the three sources together; see the class. */
    public static LanekeeperConfig load(
            Map<String, String> file, Map<String, String> environment, Map<String, String> overrides) {
        return new LanekeeperConfig(Sources.merge(file, environment, overrides));
    }

    /** As above, the first source read from {@code file}: Java properties in UTF-8. */
    public static LanekeeperConfig load(Path file, Map<String, String> environment, Map<String, String> overrides) {
        return load(read(file), environment, overrides);
    }

    private static Map<String, String> read(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new ConfigurationException("configuration file " + file + " does not exist");
        }
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
            throw new ConfigurationException("configuration file " + file + " cannot be read: " + e, e);
        }
        Map<String, String> settings = new TreeMap<>();
        properties.stringPropertyNames().forEach(name -> settings.put(name, properties.getProperty(name)));
        return settings;
    }

    /** What is allowed but looks like a slip; a line each. */
    public List<String> warnings() {
        return warnings;
    }

    public String bootstrapServers() {
        return (String) clients.of(Client.ADMIN).getOrDefault("bootstrap.servers", "");
    }

    public String groupId() {
        return values.text(Keys.GROUP_ID);
    }

    public List<String> topics() {
        return values.list(Keys.TOPICS);
    }

    public Optional<String> instanceId() {
        return values.optional(Keys.INSTANCE_ID);
    }

    /** The header that holds the lane key; empty if the record key is the lane key. */
    public Optional<String> laneKeyHeader() {
        String laneKey = values.text(Keys.LANE_KEY);
        return laneKey.equals("key") ? Optional.empty() : Optional.of(laneKey.substring("header:".length()));
    }

    /** The name of a ready-made handler, or a class name. */
    public String handler() {
        return values.text(Keys.HANDLER);
    }

    /** Every setting that begins with {@code handler.}, by its full key, as the user gave it. */
    public Map<String, String> handlerSettings() {
        return handlerSettings;
    }

    public int concurrency() {
        return (int) values.whole(Keys.CONCURRENCY);
    }

    /** The limit of the whole instance. */
    public RateLimit rateLimit() {
        return rate(Keys.RATE_LIMIT);
    }

    /** The limit of each lane. */
    public RateLimit laneRateLimit() {
        return rate(Keys.LANE_RATE_LIMIT);
    }

    private RateLimit rate(String key) {
        double perSecond = values.fraction(key);
        return perSecond == 0 ? RateLimit.UNLIMITED : RateLimit.perSecond(perSecond);
    }

    public int incarnation() {
        return (int) values.whole(Keys.INCARNATION);
    }

    public int bufferRecords() {
        return (int) values.whole(Keys.BUFFER_RECORDS);
    }

    public long bufferBytes() {
        return values.whole(Keys.BUFFER_BYTES);
    }

    public Duration commitInterval() {
        return values.millis(Keys.COMMIT_INTERVAL_MS);
    }

    /** Whether what is sent for a job is committed in one transaction with its offset. */
    public boolean exactlyOnce() {
        return values.text(Keys.DELIVERY).equals("exactly-once");
    }

    public Duration drainTimeout() {
        return values.millis(Keys.DRAIN_TIMEOUT_MS);
    }

    /** Attempts, back-off and jitter. */
    public RetryPolicy retry() {
        return new RetryPolicy(
                (int) values.whole(Keys.RETRY_MAX_ATTEMPTS),
                values.millis(Keys.RETRY_BACKOFF_MS),
                values.millis(Keys.RETRY_BACKOFF_MAX_MS),
                values.fraction(Keys.RETRY_JITTER),
                values.millis(Keys.RETRY_AFTER_MAX_MS));
    }

    /** What follows a final failure. */
    public FailurePolicy failures() {
        String name = values.text(Keys.ON_FAILURE).replace('-', '_').toUpperCase(Locale.ROOT);
        return FailurePolicy.of(OnFailure.valueOf(name));
    }

    /** Whether records may be parked. */
    public boolean parks() {
        return failures().parks();
    }

    /** How long an attempt may take; empty if there is no limit. */
    public Optional<HandlerTimeout> handlerTimeout() {
        Duration limit = values.millis(Keys.HANDLER_TIMEOUT_MS);
        if (limit.isZero()) {
            return Optional.empty();
        }
        return Optional.of(
                values.text(Keys.HANDLER_TIMEOUT_POLICY).equals("fence")
                        ? HandlerTimeout.fence(limit)
                        : HandlerTimeout.hold(limit));
    }

    public String outcomesTopic() {
        return values.text(Keys.TOPIC_OUTCOMES);
    }

    public String deadLettersTopic() {
        return values.text(Keys.TOPIC_DEAD_LETTERS);
    }

    public String parkedRecordsTopic() {
        return values.text(Keys.TOPIC_PARKED_RECORDS);
    }

    public String bulkCommandsTopic() {
        return values.text(Keys.TOPIC_BULK_COMMANDS);
    }

    public String laneCommandsTopic() {
        return values.text(Keys.TOPIC_LANE_COMMANDS);
    }

    public String controlTopic() {
        return values.text(Keys.TOPIC_CONTROL);
    }

    public String bulkStateTopic() {
        return values.text(Keys.TOPIC_BULK_STATE);
    }

    public String findingsTopic() {
        return values.text(Keys.TOPIC_FINDINGS);
    }

    public int topicPartitions() {
        return (int) values.whole(Keys.TOPIC_PARTITIONS);
    }

    /** Copies of each topic; -1 for the broker's default. */
    public short topicReplicationFactor() {
        return (short) values.whole(Keys.TOPIC_REPLICATION_FACTOR);
    }

    public Optional<URI> httpUrl() {
        return values.optional(Keys.HTTP_URL).map(URI::create);
    }

    public Duration httpTimeout() {
        return values.millis(Keys.HTTP_TIMEOUT_MS);
    }

    /** What the engine's consumer gets, with the group's id. */
    public Map<String, Object> consumerSettings() {
        Map<String, Object> settings = new HashMap<>(clients.of(Client.CONSUMER));
        settings.put("group.id", groupId());
        return settings;
    }

    public Map<String, Object> producerSettings() {
        return clients.of(Client.PRODUCER);
    }

    public Map<String, Object> adminSettings() {
        return clients.of(Client.ADMIN);
    }

    public Map<String, Object> streamsSettings() {
        return clients.of(Client.STREAMS);
    }
}
