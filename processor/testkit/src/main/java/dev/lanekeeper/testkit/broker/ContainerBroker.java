package dev.lanekeeper.testkit.broker;

import java.util.Locale;
import org.apache.kafka.common.utils.internals.AppInfoParser;
import org.testcontainers.kafka.KafkaContainer;

/** A Kafka in a container. Needs Testcontainers, so nothing may name this class before it is known to be there. */
final class ContainerBroker implements TestBroker {
    private static final String IMAGE_PROPERTY = "kafka.image";

    private final KafkaContainer container;
    private final String image;

    private ContainerBroker(KafkaContainer container, String image) {
        this.container = container;
        this.image = image;
    }

    /** Starts Kafka of the clients' own version, or the image that {@code -Dkafka.image} names. */
    static TestBroker start() {
        String image = System.getProperty(IMAGE_PROPERTY, "apache/kafka:" + AppInfoParser.getVersion());
        KafkaContainer container = new KafkaContainer(image);
        container.withEnv("KAFKA_AUTO_CREATE_TOPICS_ENABLE", "false");
        SingleNode.quickGroups().forEach((name, value) -> container.withEnv(environmentName(name), value));
        try {
            container.start();
        } catch (RuntimeException e) {
            container.stop();
            throw e;
        }
        return new ContainerBroker(container, image);
    }

    private static String environmentName(String setting) {
        return "KAFKA_" + setting.toUpperCase(Locale.ROOT).replace('.', '_');
    }

    @Override
    public String bootstrapServers() {
        return container.getBootstrapServers();
    }

    @Override
    public String description() {
        return "the container " + image;
    }

    @Override
    public void close() {
        container.stop();
    }
}
