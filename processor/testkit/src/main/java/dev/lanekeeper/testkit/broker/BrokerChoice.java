package dev.lanekeeper.testkit.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.kafka.common.utils.internals.AppInfoParser;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides which Kafka the tests of this JVM use, starts it if need be, and says so once. Stateless. */
final class BrokerChoice {
    static final String SERVERS_PROPERTY = "kafka.bootstrap.servers";
    static final String KIND_PROPERTY = "lanekeeper.test.broker";

    private static final Logger LOG = LoggerFactory.getLogger(BrokerChoice.class);

    private BrokerChoice() {}

    static TestBroker open() {
        TestBroker broker = choose(System.getProperty(SERVERS_PROPERTY, ""), System.getProperty(KIND_PROPERTY, "auto"));
        LOG.info(
                "Kafka for tests: {}, at {} (clients {})",
                broker.description(),
                broker.bootstrapServers(),
                AppInfoParser.getVersion());
        return broker;
    }

    static TestBroker choose(String servers, String kind) {
        if (!servers.isBlank()) {
            return new TestBroker.Outside(servers.strip());
        }
        return switch (kind) {
            case "embedded" -> embedded();
            case "container" -> ContainerBroker.start();
            case "auto" -> containersWork() ? containerOrEmbedded() : embedded();
            default ->
                throw new IllegalArgumentException(
                        "-D" + KIND_PROPERTY + " must be auto, embedded or container: " + kind);
        };
    }

    private static boolean containersWork() {
        return isOnClassPath("org.testcontainers.kafka.KafkaContainer")
                && DockerSocket.ofThisMachine(System.getenv("DOCKER_HOST")).answers();
    }

    private static boolean isOnClassPath(String name) {
        try {
            Class.forName(name, false, BrokerChoice.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Docker may answer and still have no image and no way to fetch one. */
    private static TestBroker containerOrEmbedded() {
        try {
            return ContainerBroker.start();
        } catch (RuntimeException e) {
            LOG.warn("Docker answers, but Kafka did not start in it; using the embedded broker", e);
            return embedded();
        }
    }

    private static TestBroker embedded() {
        try {
            return new TestBroker.Embedded(EmbeddedKafka.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
