package dev.lanekeeper.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.testkit.broker.KafkaFixture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class TopicsIT {
    @RegisterExtension
    static final KafkaFixture KAFKA = new KafkaFixture();

    private final Commands commands = new Commands();
    private Scene scene = new Scene(KAFKA, Path.of(""));

    @BeforeEach
    void setScene(@TempDir Path folder) {
        scene = new Scene(KAFKA, folder);
    }

    @Test
    void createsWhatIsMissingAndLeavesWhatExists() throws Exception {
        KAFKA.createTopic(scene.topic("dead"), 1);
        String config = scene.config();

        assertThat(commands.run("topics", "create", "--config", config)).isZero();

        assertThat(commands.out().lines())
                .containsExactly(
                        "created  " + scene.topic("jobs") + " (12 partitions)",
                        "created  " + scene.topic("bulk") + " (1 partition)",
                        "created  " + scene.topic("lanes") + " (12 partitions)",
                        "created  " + scene.topic("outcomes") + " (12 partitions)",
                        "exists   " + scene.topic("dead") + " (1 partition)",
                        "created  " + scene.topic("parked") + " (12 partitions)",
                        "created  " + scene.topic("control") + " (1 partition)",
                        "created  " + scene.topic("bulk-state") + " (12 partitions)",
                        "created  " + scene.topic("findings") + " (3 partitions)");
        assertThat(commands.err().lines())
                .containsExactly("warning: topic " + scene.topic("dead") + " has 1 partition, not 3; left as it is");
        assertThat(partitions("dead")).isEqualTo(1);
        assertThat(cleanup("parked")).isEqualTo("compact");
        assertThat(cleanup("control")).isEqualTo("compact");
        assertThat(cleanup("bulk-state")).isEqualTo("compact");
        assertThat(cleanup("jobs")).isEqualTo("delete");

        Commands again = new Commands();
        assertThat(again.run("topics", "create", "--config", config)).isZero();
        assertThat(again.out().lines()).hasSize(9).allMatch(line -> line.startsWith("exists "));
    }

    @Test
    void partitionsAreAsConfigured() throws Exception {
        String config = scene.config("lanekeeper.topic.partitions", "2", "lanekeeper.topic.replication.factor", "1");

        assertThat(commands.run("topics", "create", "--config", config)).isZero();

        assertThat(partitions("jobs")).isEqualTo(2);
        assertThat(partitions("outcomes")).isEqualTo(2);
        assertThat(partitions("bulk")).isEqualTo(1);
    }

    @Test
    void createdTopicsCanBeWrittenToAtOnce() throws Exception {
        assertThat(commands.run("topics", "create", "--config", scene.config())).isZero();

        Map<String, Object> settings = KAFKA.clientSettings();
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            assertThat(producer.send(scene.record("jobs", "c-1", "x")).get().hasOffset())
                    .isTrue();
        }
    }

    @Test
    void brokerThatRefusesIsOneLineAndAFailure() throws IOException {
        String config = scene.config("lanekeeper.topic.replication.factor", "3");

        assertThat(commands.run("topics", "create", "--config", config)).isEqualTo(ExitCode.FAILED);

        assertThat(commands.err().lines())
                .singleElement()
                .asString()
                .startsWith("lanekeeper: Kafka at " + KAFKA.bootstrapServers() + " refused: ")
                .containsIgnoringCase("replication factor");
    }

    private int partitions(String topic) throws ExecutionException, InterruptedException {
        return KAFKA.admin()
                .describeTopics(List.of(scene.topic(topic)))
                .topicNameValues()
                .values()
                .iterator()
                .next()
                .get()
                .partitions()
                .size();
    }

    private String cleanup(String topic) throws ExecutionException, InterruptedException {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, scene.topic(topic));
        return KAFKA.admin()
                .describeConfigs(List.of(resource))
                .values()
                .values()
                .iterator()
                .next()
                .get()
                .get("cleanup.policy")
                .value();
    }
}
