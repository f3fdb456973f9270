package dev.lanekeeper.app.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.lanekeeper.app.config.ConfigurationException;
import dev.lanekeeper.app.config.LanekeeperConfig;
import dev.lanekeeper.app.topics.TopicAdmin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.LoggerFactory;

/**
 * Asks a broker something on behalf of a command, and says in one line why it could not. Stateless; public for the
 * commands of other modules.
 */
public final class BrokerAccess {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration REQUEST = Duration.ofSeconds(5);
    private static final Duration CLOSING = Duration.ofSeconds(1);
    /** Its loggers repeat several times a second what the command says once. */
    private static final String CONNECTION_LOG = "org.apache.kafka.clients";

    private BrokerAccess() {}

    /** What to ask. */
    @FunctionalInterface
    public interface Question<T> {
        /** Asks; what Kafka throws ends the command. */
        T ask(TopicAdmin topics) throws InterruptedException;
    }

    /**
     * Asks the brokers of {@code config}.
     *
     * @throws CommandFailure if they can't be reached or refuse
     */
    public static <T> T ask(LanekeeperConfig config, Question<T> question) throws InterruptedException {
        Map<String, Object> settings = config.adminSettings();
        if (!settings.containsKey(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG)
                && !settings.containsKey(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG)) {
            settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, String.valueOf(REQUEST.toMillis()));
            settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, String.valueOf(PATIENCE.toMillis()));
        }
        Logger connections = (Logger) LoggerFactory.getLogger(CONNECTION_LOG);
        Level before = connections.getLevel();
        if (!connections.isInfoEnabled()) {
            connections.setLevel(Level.ERROR);
        }
        Admin admin = open(config, settings);
        try {
            return question.ask(new TopicAdmin(admin, PATIENCE.plus(REQUEST)));
        } catch (TimeoutException e) {
            throw new CommandFailure("no Kafka broker answers at " + config.bootstrapServers(), e);
        } catch (KafkaException e) {
            throw new CommandFailure("Kafka at " + config.bootstrapServers() + " refused: " + e.getMessage(), e);
        } finally {
            admin.close(CLOSING);
            connections.setLevel(before);
        }
    }

    /**
     * Checks that {@code topics} exist, before a client would wait for them, or create them with too few partitions.
     *
     * @return how many partitions each has
     * @throws CommandFailure naming those that don't
     */
    public static Map<String, Integer> requireTopics(LanekeeperConfig config, List<String> topics)
            throws InterruptedException {
        Map<String, Integer> partitions = ask(config, admin -> admin.partitions(topics));
        List<String> missing = new ArrayList<>(topics);
        missing.removeAll(partitions.keySet());
        if (!missing.isEmpty()) {
            throw new CommandFailure(
                    (missing.size() == 1 ? "topic " : "topics ") + String.join(", ", missing) + " not found at "
                            + config.bootstrapServers() + "; 'lanekeeper topics create --config FILE' creates what is"
                            + " missing",
                    null);
        }
        return partitions;
    }

    private static Admin open(LanekeeperConfig config, Map<String, Object> settings) {
        try {
            return Admin.create(settings);
        } catch (ConfigException e) {
            throw new ConfigurationException("Kafka refuses its settings: " + e.getMessage(), e);
        } catch (KafkaException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new CommandFailure("no Kafka client for " + config.bootstrapServers() + ": " + cause.getMessage(), e);
        }
    }
}
