package dev.lanekeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.config.ConfigData;
import org.apache.kafka.common.config.provider.ConfigProvider;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.MetricsReporter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Refuses what would break the promises, with the setting's name and value; leaves everything else to the user. */
class ClientSettingsTest {
    private final ClientSettings settings = new ClientSettings();

    @Test
    void enoughMakesAllClients() {
        settings.common(Map.of("bootstrap.servers", "127.0.0.1:1", "group.id", "g", "client.id", "me"));
        settings.consumer(Map.of("key.deserializer", "no.such.Class", "enable.auto.commit", false));
        settings.producer(Map.of("value.serializer", "no.such.Class", "acks", "-1", "enable.idempotence", true));
        try (Consumer<byte[], byte[]> consumer = settings.newConsumer();
                Producer<byte[], byte[]> producer = settings.newProducer();
                Admin admin = settings.newAdmin()) {
            assertThat(admin.metrics()).isNotEmpty();
            assertThat(consumer.groupMetadata().groupId()).isEqualTo("g");
            assertThat(producer.metrics()).isNotEmpty();
        }
    }

    /** A consumer takes it; a client for topic ids would refuse it, beside the longer timeout of a single request. */
    @Test
    void aShortTimeoutOfTheConsumerDoesNotKeepTheClientForTopicIdsFromBeingMade() {
        settings.common(Map.of("bootstrap.servers", "127.0.0.1:1", "group.id", "g"));
        settings.consumer(Map.of("default.api.timeout.ms", "10000"));
        try (Consumer<byte[], byte[]> consumer = settings.newConsumer();
                Admin admin = settings.newAdmin()) {
            assertThat(consumer.metrics()).isNotEmpty();
            assertThat(admin.metrics()).isNotEmpty();
        }
    }

    /** A login or a key store of one's own has settings that Kafka doesn't know; without them the broker is not reached. */
    @Test
    void theClientForTopicIdsHasTheSettingsOfPlugInsToo() {
        settings.common(Map.of("bootstrap.servers", "127.0.0.1:1", "group.id", "g"));
        settings.consumer(Map.of(
                "config.providers", "here",
                "config.providers.here.class", Secrets.class.getName(),
                "metric.reporters", Reporter.class.getName(),
                "my.login.realm", "north",
                "client.id", "${here:any:secret}",
                "key.deserializer", "no.such.Class"));
        try (Admin admin = settings.newAdmin()) {
            assertThat(admin.metrics().keySet().iterator().next().tags()).containsEntry("client-id", "resolved");
            assertThat(Reporter.realm).isEqualTo("north");
        }
    }

    @Test
    void settingsOfPlugInsThatAreGivenForAllClientsReachThem() {
        settings.common(Map.of(
                "bootstrap.servers", "127.0.0.1:1",
                "group.id", "g",
                "metric.reporters", Reporter.class.getName(),
                "my.login.realm", "south"));
        Reporter.realm = null;
        try (Consumer<byte[], byte[]> consumer = settings.newConsumer()) {
            assertThat(consumer.metrics()).isNotEmpty();
            assertThat(Reporter.realm).isEqualTo("south");
        }
        Reporter.realm = null;
        try (Producer<byte[], byte[]> producer = settings.newProducer()) {
            assertThat(producer.metrics()).isNotEmpty();
            assertThat(Reporter.realm).isEqualTo("south");
        }
    }

    /** Resolves whatever it is asked for. */
    public static final class Secrets implements ConfigProvider {
        @Override
        public ConfigData get(String path) {
            return new ConfigData(Map.of());
        }

        @Override
        public ConfigData get(String path, Set<String> keys) {
            return new ConfigData(keys.stream().collect(Collectors.toMap(key -> key, key -> "resolved")));
        }

        @Override
        public void configure(Map<String, ?> configs) {}

        @Override
        public void close() {}
    }

    /** Notes what it was configured with. */
    public static final class Reporter implements MetricsReporter {
        static volatile @Nullable Object realm;

        @Override
        public void configure(Map<String, ?> configs) {
            realm = configs.get("my.login.realm");
        }

        @Override
        public void init(List<KafkaMetric> metrics) {}

        @Override
        public void metricChange(KafkaMetric metric) {}

        @Override
        public void metricRemoval(KafkaMetric metric) {}

        @Override
        public void close() {}
    }

    @Test
    void aMissingGroupIsRefused() {
        settings.common(Map.of("bootstrap.servers", "127.0.0.1:1"));
        assertThatThrownBy(settings::newConsumer)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("group.id must be set")
                .hasMessageContaining("missing");
    }

    /** Kafka would find this when it subscribes, on a thread whose errors are not the caller's. */
    @ParameterizedTest
    @ValueSource(strings = {"", "  "})
    void aBlankGroupIsRefused(String group) {
        settings.common(Map.of("bootstrap.servers", "127.0.0.1:1", "group.id", group));
        assertThatThrownBy(settings::newConsumer)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("group.id must be set")
                .hasMessageContaining("\"" + group + "\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "TRUE", "yes"})
    void autoCommitIsRefused(String value) {
        settings.common(Map.of("bootstrap.servers", "127.0.0.1:1", "group.id", "g", "enable.auto.commit", value));
        assertThatThrownBy(settings::newConsumer)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("enable.auto.commit must be false or left out: " + value);
    }

    @ParameterizedTest
    @CsvSource({
        "acks, 1, acks must be all or -1 or left out: 1",
        "acks, 0, acks must be all or -1 or left out: 0",
        "enable.idempotence, false, enable.idempotence must be true or left out: false",
    })
    void whatWouldLoseOrReorderResultsIsRefused(String name, String value, String message) {
        settings.common(Map.of("bootstrap.servers", "127.0.0.1:1"));
        settings.producer(Map.of(name, value));
        assertThatThrownBy(settings::newProducer)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    /** A producer with one would refuse each send until a transaction begins, and so end the engine at its first result. */
    @Test
    void aTransactionalProducerIsRefused() {
        settings.common(Map.of("bootstrap.servers", "127.0.0.1:1"));
        settings.producer(Map.of("transactional.id", "tx-1"));
        assertThatThrownBy(settings::newProducer)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("transactional.id must be left out")
                .hasMessageEndingWith(": tx-1");
    }

    @Test
    void settingsOfOneClientWinOverTheCommonOnesAndDoNotReachTheOther() {
        Map<String, Object> common = new HashMap<>();
        common.put("bootstrap.servers", "127.0.0.1:1");
        common.put("group.id", "common");
        common.put("acks", "all");
        settings.common(common);
        settings.consumer(Map.of("group.id", "own"));
        try (Consumer<byte[], byte[]> consumer = settings.newConsumer()) {
            assertThat(consumer.groupMetadata().groupId()).isEqualTo("own");
        }
    }

    @Test
    void theLongestTimeBetweenPollsIsTheConsumers() {
        assertThat(settings.maxPollInterval()).isEqualTo(Duration.ofMinutes(5));
        settings.common(Map.of("max.poll.interval.ms", 10_000));
        assertThat(settings.maxPollInterval()).isEqualTo(Duration.ofSeconds(10));
        settings.consumer(Map.of("max.poll.interval.ms", "20000"));
        assertThat(settings.maxPollInterval()).isEqualTo(Duration.ofSeconds(20));
    }
}
