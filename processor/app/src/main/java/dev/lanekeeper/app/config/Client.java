package dev.lanekeeper.app.config;

import java.util.Set;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.streams.StreamsConfig;

/** A Kafka client whose settings pass through, under a prefix of its own or under {@link #ALL}. */
@SuppressWarnings("ImmutableEnumChecker") // the definitions are Kafka's own, and nothing here adds to them
enum Client {
    CONSUMER("consumer.", ConsumerConfig.configDef()),
    PRODUCER("producer.", ProducerConfig.configDef()),
    ADMIN("admin.", AdminClientConfig.configDef()),
    STREAMS("streams.", StreamsConfig.configDef());

    /** The prefix of settings for every client. */
    static final String ALL = "kafka.";

    private final String prefix;
    private final ConfigDef definition;

    Client(String prefix, ConfigDef definition) {
        this.prefix = prefix;
        this.definition = definition;
    }

    String prefix() {
        return prefix;
    }

    ConfigDef definition() {
        return definition;
    }

    /** The names this client knows, without prefix. */
    Set<String> names() {
        return definition.names();
    }
}
