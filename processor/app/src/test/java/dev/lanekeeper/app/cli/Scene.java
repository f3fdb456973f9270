package dev.lanekeeper.app.cli;

import dev.lanekeeper.testkit.broker.KafkaFixture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Topics, a group and a configuration file that one test has for itself. Immutable. */
final class Scene {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final KafkaFixture kafka;
    private final Path folder;
    private final String name;

    Scene(KafkaFixture kafka, Path folder) {
        this.kafka = kafka;
        this.folder = folder;
        this.name = kafka.uniqueName("app");
    }

    String topic(String of) {
        return name + "-" + of;
    }

    /** The path of a file with every name of this scene, and {@code more} in pairs. */
    String config(String... more) throws IOException {
        Properties config = new Properties();
        config.setProperty("kafka.bootstrap.servers", kafka.bootstrapServers());
        config.setProperty("lanekeeper.group.id", name);
        config.setProperty("lanekeeper.topics", topic("jobs"));
        config.setProperty("lanekeeper.topic.outcomes", topic("outcomes"));
        config.setProperty("lanekeeper.topic.dead.letters", topic("dead"));
        config.setProperty("lanekeeper.topic.bulk.commands", topic("bulk"));
        config.setProperty("lanekeeper.topic.lane.commands", topic("lanes"));
        config.setProperty("lanekeeper.topic.parked.records", topic("parked"));
        config.setProperty("lanekeeper.topic.control", topic("control"));
        config.setProperty("lanekeeper.topic.bulk.state", topic("bulk-state"));
        config.setProperty("lanekeeper.topic.findings", topic("findings"));
        for (int i = 0; i < more.length; i += 2) {
            config.setProperty(more[i], more[i + 1]);
        }
        Path file = Files.createTempFile(folder, "config", ".properties");
        try (var writer = Files.newBufferedWriter(file)) {
            config.store(writer, null);
        }
        return file.toString();
    }

    void createTopics(int partitions) throws IOException {
        Commands commands = new Commands();
        int code = commands.run(
                "topics", "create", "--config", config("lanekeeper.topic.partitions", Integer.toString(partitions)));
        if (code != ExitCode.DONE) {
            throw new AssertionError("topics create: " + code + " " + commands.err());
        }
    }

    String group() {
        return name;
    }

    ProducerRecord<byte[], byte[]> record(String topic, @Nullable String key, @Nullable String value) {
        return new ProducerRecord<>(topic(topic), bytes(key), bytes(value));
    }

    List<ConsumerRecord<byte[], byte[]>> read(String topic, int count) {
        return kafka.readAll(topic(topic), count, PATIENCE);
    }

    static String job(String id, String customer) {
        return """
                {"type":"job","id":"%s","customerId":"%s","kind":"deposit","submittedAt":"2026-01-02T03:04:05.678Z",\
                "payload":{}}""".formatted(id, customer);
    }

    private static byte @Nullable [] bytes(@Nullable String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }
}
