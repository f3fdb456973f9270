package dev.lanekeeper.engine;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** The clients' settings: the user's, the engine's defaults below them, and a refusal of what would break its promises. */
final class ClientSettings {
    private static final Duration DEFAULT_MAX_POLL_INTERVAL = Duration.ofMinutes(5);

    private final Map<String, Object> common = new HashMap<>();
    private final Map<String, Object> consumer = new HashMap<>();
    private final Map<String, Object> producer = new HashMap<>();
    private @Nullable String transactionalId;

    void common(Map<String, ?> settings) {
        common.putAll(settings);
    }

    void consumer(Map<String, ?> settings) {
        consumer.putAll(settings);
    }

    void producer(Map<String, ?> settings) {
        producer.putAll(settings);
    }

    /** Makes the producer a transactional one, and the consumer one that reads committed records only. */
    void transactional(String id) {
        if (id.isBlank()) {
            throw new IllegalArgumentException("transactionalId must not be blank: \"" + id + '"');
        }
        transactionalId = id;
    }

    @Nullable
    String transactionalId() {
        return transactionalId;
    }

    Consumer<byte[], byte[]> newConsumer() {
        Map<String, Object> settings = consumerSettings();
        Object group = settings.get(ConsumerConfig.GROUP_ID_CONFIG);
        if (group == null || group.toString().isBlank()) {
            throw new IllegalArgumentException(
                    "group.id must be set, since partitions are shared and offsets committed by group: "
                            + (group == null ? "it is missing" : "\"" + group + "\""));
        }
        // the engine commits what is done; the client would commit what was fetched
        refuseUnless(settings, ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        settings.remove(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG);
        settings.remove(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG);
        // a group without offsets begins at the beginning: skipping what is there must be asked for
        settings.putIfAbsent(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        // a broker that waits for records of quiet partitions answers nothing else meanwhile, and a throttled partition
        // that
        // may go on is asked for only after that answer; records that come are answered at once all the same
        settings.putIfAbsent(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, "50");
        if (transactionalId != null) {
            // a record whose writer gives it up later must not leave its outputs behind
            refuseUnless(settings, ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
            settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        }
        return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** A consumer that belongs to no group: it reads what it is told to, from where it is told to. */
    Consumer<byte[], byte[]> newReader() {
        Map<String, Object> settings = consumerSettings();
        settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
        settings.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
        settings.remove(ConsumerConfig.GROUP_PROTOCOL_CONFIG);
        settings.remove(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG);
        settings.remove(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG);
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** Reaches the broker as the consumer does. */
    Admin newAdmin() {
        Map<String, Object> settings = knownTo(AdminClientConfig.configNames(), consumerSettings());
        // one that is shorter than a request's is refused, though a consumer takes it; each question brings its own
        settings.remove(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG);
        return Admin.create(settings);
    }

    Producer<byte[], byte[]> newProducer() {
        Map<String, Object> settings = knownTo(ProducerConfig.configNames(), common);
        settings.putAll(producer);
        refuseUnless(settings, ProducerConfig.ACKS_CONFIG, "all", "-1");
        refuseUnless(settings, ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
        if (settings.get(ProducerConfig.TRANSACTIONAL_ID_CONFIG) != null) {
            throw new IllegalArgumentException(
                    "transactional.id must be left out of the settings and given to exactlyOnce: "
                            + settings.get(ProducerConfig.TRANSACTIONAL_ID_CONFIG));
        }
        if (transactionalId != null) {
            settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
            // an instance that was killed keeps readers and its successor waiting for so long
            settings.putIfAbsent(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, "10000");
        }
        settings.remove(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG);
        settings.remove(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG);
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
        // a lane waits for its result's acknowledgement: lingering would be added to each record of a customer
        settings.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, "0");
        // a send to a topic that is away blocks a worker for so long, once; it is tried again elsewhere
        settings.putIfAbsent(ProducerConfig.MAX_BLOCK_MS_CONFIG, "2000");
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    Duration maxPollInterval() {
        Object value = consumerSettings().get(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG);
        return value == null ? DEFAULT_MAX_POLL_INTERVAL : Duration.ofMillis(Long.parseLong(value.toString()));
    }

    private Map<String, Object> consumerSettings() {
        Map<String, Object> settings = knownTo(ConsumerConfig.configNames(), common);
        settings.putAll(consumer);
        return settings;
    }

    /** Without those that only other kinds of clients know. What no client knows stays: plug-ins have settings of their own. */
    private static Map<String, Object> knownTo(Set<String> client, Map<String, Object> all) {
        Map<String, Object> settings = new HashMap<>(all);
        settings.keySet()
                .removeIf(name -> !client.contains(name)
                        && (ConsumerConfig.configNames().contains(name)
                                || ProducerConfig.configNames().contains(name)
                                || AdminClientConfig.configNames().contains(name)));
        return settings;
    }

    private static void refuseUnless(Map<String, Object> settings, String name, String... allowed) {
        @Nullable Object value = settings.get(name);
        if (value == null) {
            return;
        }
        for (String each : allowed) {
            if (each.equals(value.toString())) {
                return;
            }
        }
        throw new IllegalArgumentException(
                name + " must be " + String.join(" or ", allowed) + " or left out: " + value);
    }
}
