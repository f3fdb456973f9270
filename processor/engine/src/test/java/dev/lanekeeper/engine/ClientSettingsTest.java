package dev.lanekeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
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
