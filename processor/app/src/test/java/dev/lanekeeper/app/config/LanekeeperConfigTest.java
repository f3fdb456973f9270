package dev.lanekeeper.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.lanekeeper.engine.handler.HandlerTimeout;
import dev.lanekeeper.engine.handler.OnFailure;
import dev.lanekeeper.engine.handler.RateLimit;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LanekeeperConfigTest {
    private static final Map<String, String> NONE = Map.of();

    @Test
    void standsOnItsDefaults() {
        LanekeeperConfig config = load(NONE);

        assertThat(config.groupId()).isEqualTo("lanekeeper");
        assertThat(config.topics()).containsExactly("customer-jobs");
        assertThat(config.instanceId()).isEmpty();
        assertThat(config.laneKeyHeader()).isEmpty();
        assertThat(config.handler()).isEqualTo("http");
        assertThat(config.concurrency()).isEqualTo(100);
        assertThat(config.bufferRecords()).isEqualTo(10_000);
        assertThat(config.bufferBytes()).isEqualTo(67_108_864);
        assertThat(config.commitInterval()).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.drainTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(config.retry().maxAttempts()).isEqualTo(8);
        assertThat(config.outcomesTopic()).isEqualTo("job-outcomes");
        assertThat(config.deadLettersTopic()).isEqualTo("dead-letters");
        assertThat(config.topicPartitions()).isEqualTo(12);
        assertThat(config.topicReplicationFactor()).isEqualTo((short) -1);
        assertThat(config.httpUrl()).isEmpty();
        assertThat(config.warnings()).isEmpty();
        assertThat(config.bootstrapServers()).isEqualTo("localhost:9092");
    }

    @Test
    void ratesAreUnlimitedUnlessGiven() {
        assertThat(load(NONE).rateLimit().unlimited()).isTrue();
        assertThat(load(NONE).laneRateLimit().unlimited()).isTrue();
        LanekeeperConfig config = load(Map.of(
                "lanekeeper.rate.limit", "250", "lanekeeper.lane.rate.limit", "0.5", "lanekeeper.incarnation", "2"));
        assertThat(config.rateLimit()).isEqualTo(RateLimit.perSecond(250));
        assertThat(config.laneRateLimit()).isEqualTo(new RateLimit(0.5, 1));
        assertThat(config.incarnation()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "NaN", "Infinity"})
    void aRateIsZeroOrMore(String rate) {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> load(Map.of("lanekeeper.rate.limit", rate)))
                .withMessageContaining("lanekeeper.rate.limit: \"" + rate + "\" is not allowed")
                .withMessageContaining("use a number, 0 or more");
    }

    @Test
    void laterSourcesWin() {
        Map<String, String> file = file(Map.of(
                "lanekeeper.concurrency", "1", "lanekeeper.buffer.records", "1", "lanekeeper.buffer.bytes", " 1 "));
        Map<String, String> environment = Map.of("LANEKEEPER_CONCURRENCY", "2", "LANEKEEPER_BUFFER_RECORDS", "2");

        LanekeeperConfig config = LanekeeperConfig.load(file, environment, Map.of("lanekeeper.concurrency", "3"));

        assertThat(config.concurrency()).isEqualTo(3);
        assertThat(config.bufferRecords()).isEqualTo(2);
        assertThat(config.bufferBytes()).isEqualTo(1);
    }

    @Test
    void environmentReachesHandlersAndClients() {
        Map<String, String> environment = Map.of(
                "HANDLER_HTTP_URL", "http://localhost:1/jobs",
                "KAFKA_BOOTSTRAP_SERVERS", "other:1",
                "CONSUMER_MAX_POLL_RECORDS", "7",
                "KAFKA_OPTS", "-Xmx1g",
                "HOME", "/root");

        LanekeeperConfig config = LanekeeperConfig.load(NONE, environment, NONE);

        assertThat(config.httpUrl()).contains(URI.create("http://localhost:1/jobs"));
        assertThat(config.consumerSettings())
                .containsEntry("bootstrap.servers", "other:1")
                .containsEntry("max.poll.records", "7")
                .doesNotContainKey("opts");
        assertThat(config.producerSettings()).doesNotContainKey("max.poll.records");
    }

    @Test
    void misspeltVariableIsPointedOutAndOthersAreNot() {
        Map<String, String> environment = Map.of(
                "LANEKEEPER_CONCURENCY", "2",
                "LANEKEEPER_SERVICE_HOST", "10.0.0.1",
                "LANEKEEPER_PORT_8080_TCP", "tcp://10.0.0.1:8080",
                "LANEKEEPER_LOG_LEVEL", "DEBUG");

        assertThat(LanekeeperConfig.load(file(NONE), environment, NONE).warnings())
                .containsExactly("environment variable LANEKEEPER_CONCURENCY sets nothing; did you mean"
                        + " LANEKEEPER_CONCURRENCY?");
    }

    @Test
    void variablesInValuesAreReplacedOnce() {
        Map<String, String> file = file(Map.of(
                "lanekeeper.group.id", "${TEAM}-${ROLE:-jobs}",
                "kafka.sasl.jaas.config", "login password=\"${SECRET}\";"));
        Map<String, String> environment = Map.of("TEAM", "blue", "SECRET", "a${TEAM}b");

        LanekeeperConfig config = LanekeeperConfig.load(file, environment, NONE);

        assertThat(config.groupId()).isEqualTo("blue-jobs");
        assertThat(config.adminSettings()).containsEntry("sasl.jaas.config", "login password=\"a${TEAM}b\";");
    }

    @Test
    void variableThatIsNotSetIsNamed() {
        Map<String, String> file = file(Map.of("lanekeeper.group.id", "${TEAM}-${ROLE}"));

        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> LanekeeperConfig.load(file, Map.of("TEAM", "blue"), NONE))
                .withMessageStartingWith("lanekeeper.group.id: environment variable ROLE is not set");
    }

    @ParameterizedTest
    @CsvSource({
        "lanekeeper.concurency, lanekeeper.concurrency",
        "concurrency, lanekeeper.concurrency",
        "Lanekeeper.Topics, lanekeeper.topics",
        "lanekeeper.topic, lanekeeper.topics",
        "handler.http.timeout, handler.http.timeout.ms",
        "bootstrap.servers, kafka.bootstrap.servers",
        "max.poll.records, kafka.max.poll.records",
    })
    void unknownKeyIsRefusedWithTheNearest(String key, String nearest) {
        assertRefused(key, "1").isEqualTo(key + " is not a known key; did you mean " + nearest + "?");
    }

    @Test
    void unknownKeyOnTheCommandLineSaysSo() {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> LanekeeperConfig.load(file(NONE), NONE, Map.of("lanekeeper.topic", "x")))
                .withMessageContaining("(from --set)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            lanekeeper.concurrency | x | a whole number, at least 1
            lanekeeper.concurrency | 0 | a whole number, at least 1
            lanekeeper.concurrency | 1.5 | a whole number, at least 1
            lanekeeper.concurrency | 99999999999 | a whole number, at least 1
            lanekeeper.buffer.records | -1 | a whole number, at least 1
            lanekeeper.buffer.bytes | 0 | a whole number, at least 1
            lanekeeper.commit.interval.ms | 0 | a whole number, at least 1
            lanekeeper.drain.timeout.ms | -1 | a whole number, at least 0
            lanekeeper.delivery | at-most-once | at-least-once or exactly-once
            lanekeeper.on.failure | ignore | skip-to-dead-letters or park-key or stop-partition
            lanekeeper.handler.timeout.ms | -1 | a whole number, at least 0
            lanekeeper.handler.timeout.policy | kill | hold
            lanekeeper.retry.after.max.ms | -1 | a whole number, at least 0
            lanekeeper.retry.max.attempts | 0 | a whole number, at least 1
            lanekeeper.retry.backoff.ms | -1 | a whole number, at least 0
            lanekeeper.retry.jitter | 1.1 | a number from 0 to 1
            lanekeeper.retry.jitter | NaN | a number from 0 to 1
            lanekeeper.group.id | '' | text, not empty
            lanekeeper.topics | '' | topic names
            lanekeeper.topics | a,a | each once
            lanekeeper.topics | a b | topic names
            lanekeeper.lane.key | value | key or header:NAME
            lanekeeper.lane.key | header: | key or header:NAME
            lanekeeper.handler | htp | http or the full name of a class
            lanekeeper.topic.outcomes | a/b | a topic name
            lanekeeper.topic.outcomes | .. | a topic name
            lanekeeper.topic.partitions | 0 | a whole number, at least 1
            lanekeeper.topic.replication.factor | 0 | -1 (the broker's default)
            handler.http.url | localhost:8080 | an http or https URL
            handler.http.url | ftp://x/ | an http or https URL
            handler.http.url | http:// | an http or https URL
            handler.http.timeout.ms | 0 | a whole number, at least 1
            """)
    void wrongValueIsNamedWithWhatIsAllowed(String key, String value, String allowed) {
        assertRefused(key, value)
                .startsWith(key + ": \"" + value + "\" is not allowed; use ")
                .contains(allowed);
    }

    @Test
    void whatFollowsFailuresIsTakenOver() {
        LanekeeperConfig plain = load(NONE);
        assertThat(plain.failures().onFailure()).isEqualTo(OnFailure.SKIP_TO_DEAD_LETTERS);
        assertThat(plain.handlerTimeout()).isEmpty();
        LanekeeperConfig config = load(Map.of(
                "lanekeeper.on.failure", "park-key",
                "lanekeeper.handler.timeout.ms", "5",
                "lanekeeper.handler.timeout.policy", "fence",
                "lanekeeper.retry.after.max.ms", "7"));
        assertThat(config.failures().onFailure()).isEqualTo(OnFailure.PARK_KEY);
        assertThat(config.handlerTimeout()).contains(HandlerTimeout.fence(Duration.ofMillis(5)));
        assertThat(config.retry().maxRetryAfter()).isEqualTo(Duration.ofMillis(7));
    }

    @Test
    void wrongValueSaysWhichVariableItCameFrom() {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> LanekeeperConfig.load(file(NONE), Map.of("LANEKEEPER_CONCURRENCY", "x"), NONE))
                .withMessageContaining("lanekeeper.concurrency: \"x\" is not allowed (from LANEKEEPER_CONCURRENCY)");
    }

    @Test
    void valuesThatContradictEachOtherAreRefused() {
        assertRefused("lanekeeper.retry.backoff.max.ms", "50").contains("at least lanekeeper.retry.backoff.ms (100)");
        assertRefused("lanekeeper.retry.backoff.ms", "20000")
                .contains("\"20000\"")
                .contains("at most lanekeeper.retry.backoff.max.ms (10000)");
        assertRefused("lanekeeper.topic.outcomes", "customer-jobs").contains("would be a loop");
        assertRefused("lanekeeper.topics", "a,dead-letters").contains("would be a loop");
        assertRefused("lanekeeper.topic.dead.letters", "job-outcomes").contains("another topic");
        assertRefused("lanekeeper.topic.parked.records", "dead-letters").contains("another topic");
        assertRefused("lanekeeper.topic.parked.records", "customer-jobs").contains("would be a loop");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            kafka.enable.auto.commit | true
            consumer.enable.auto.commit | true
            kafka.group.id | other
            consumer.group.id | other
            consumer.key.deserializer | org.apache.kafka.common.serialization.StringDeserializer
            kafka.value.deserializer | org.apache.kafka.common.serialization.StringDeserializer
            producer.value.serializer | org.apache.kafka.common.serialization.StringSerializer
            producer.acks | 1
            kafka.acks | 0
            producer.enable.idempotence | false
            producer.transactional.id | t
            """)
    void settingsThatBreakThePromisesAreRefusedWithTheReason(String key, String value) {
        assertRefused(key, value)
                .startsWith(key + ": \"" + value + "\" is not allowed; ")
                .contains(": ");
    }

    @ParameterizedTest
    @CsvSource({
        "kafka.enable.auto.commit, false",
        "consumer.group.id, lanekeeper",
        "producer.acks, all",
        "kafka.acks, -1"
    })
    void settingsThatOnlyRepeatThePromisesAreNot(String key, String value) {
        assertThat(load(Map.of(key, value)).warnings()).isEmpty();
    }

    @Test
    void clientValueThatKafkaRefusesIsNamedByItsKey() {
        assertRefused("consumer.max.poll.records", "many")
                .startsWith("consumer.max.poll.records: ")
                .contains("many");
        assertRefused("kafka.linger.ms", "-1").startsWith("kafka.linger.ms: ").contains("-1");
    }

    @Test
    void clientSettingThatKafkaDoesNotKnowPassesWithAWarningIfItLooksLikeASlip() {
        LanekeeperConfig config =
                load(Map.of("consumer.max.pol.records", "5", "consumer.my.interceptor.colour", "red"));

        assertThat(config.consumerSettings()).containsEntry("my.interceptor.colour", "red");
        assertThat(config.warnings()).singleElement().asString().contains("consumer.max.poll.records");
    }

    @Test
    void specialPrefixWinsAndEachClientGetsItsOwn() {
        LanekeeperConfig config = load(Map.of(
                "kafka.client.id", "all",
                "consumer.client.id", "reader",
                "kafka.linger.ms", "5",
                "streams.num.stream.threads", "2",
                "admin.retries", "3"));

        assertThat(config.consumerSettings())
                .containsEntry("client.id", "reader")
                .containsEntry("group.id", "lanekeeper")
                .doesNotContainKey("linger.ms");
        assertThat(config.producerSettings()).containsEntry("client.id", "all").containsEntry("linger.ms", "5");
        assertThat(config.adminSettings()).containsEntry("retries", "3").containsEntry("client.id", "all");
        assertThat(config.streamsSettings())
                .containsEntry("num.stream.threads", "2")
                .containsEntry("bootstrap.servers", "localhost:9092");
    }

    @Test
    void brokersMustBeNamed() {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> LanekeeperConfig.load(NONE, NONE, NONE))
                .withMessageContaining("kafka.bootstrap.servers is not set");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "a:1,b", "a:port", ":1"})
    void brokersMustHavePorts(String servers) {
        assertRefused("kafka.bootstrap.servers", servers).contains("\"" + servers + "\"", "host:port");
    }

    @Test
    void handlerOfTheUsersOwnGetsItsKeys() {
        LanekeeperConfig config = load(Map.of("lanekeeper.handler", "com.example.Mine", "handler.mine.colour", "red"));

        assertThat(config.handlerSettings()).containsExactly(Map.entry("handler.mine.colour", "red"));
        assertRefused("handler.mine.colour", "red").contains("not a known key");
    }

    @Test
    void laneKeyMayBeAHeader() {
        assertThat(load(Map.of("lanekeeper.lane.key", "header:tenant")).laneKeyHeader())
                .contains("tenant");
    }

    @Test
    void fileIsReadAsPropertiesInUtf8(@TempDir Path folder) throws IOException {
        Path file =
                Files.writeString(folder.resolve("p"), "kafka.bootstrap.servers = a:1 \nlanekeeper.group.id=grüppe\n");

        LanekeeperConfig config = LanekeeperConfig.load(file, NONE, NONE);

        assertThat(config.groupId()).isEqualTo("grüppe");
        assertThat(config.bootstrapServers()).isEqualTo("a:1");
    }

    @Test
    void fileThatIsNotThereOrCannotBeReadIsNamed(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("p");
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> LanekeeperConfig.load(file, NONE, NONE))
                .withMessage("configuration file " + file + " does not exist");
        Files.write(file, new byte[] {'a', '=', (byte) 0xff, (byte) 0xfe});
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> LanekeeperConfig.load(file, NONE, NONE))
                .withMessageContaining("cannot be read");
    }

    @ParameterizedTest
    @ValueSource(strings = {"processor.properties", "producer-sim.properties"})
    void filesThatComeWithTheProjectAreValid(String name) {
        Path file = Path.of("..", "..", "config", name);
        assertThat(LanekeeperConfig.load(file, NONE, NONE).warnings()).isEmpty();
    }

    private static AbstractStringAssert<?> assertRefused(String key, String value) {
        Map<String, String> file = new HashMap<>(file(NONE));
        file.put(key, value);
        try {
            LanekeeperConfig.load(file, NONE, NONE);
        } catch (ConfigurationException e) {
            String message = String.valueOf(e.getMessage());
            assertThat(message.lines()).hasSize(1);
            return assertThat(message);
        }
        throw new AssertionError(key + "=" + value + " was not refused");
    }

    private static LanekeeperConfig load(Map<String, String> settings) {
        return LanekeeperConfig.load(file(settings), NONE, NONE);
    }

    private static Map<String, String> file(Map<String, String> settings) {
        Map<String, String> file = new HashMap<>(Map.of("kafka.bootstrap.servers", "localhost:9092"));
        file.putAll(settings);
        return file;
    }
}
