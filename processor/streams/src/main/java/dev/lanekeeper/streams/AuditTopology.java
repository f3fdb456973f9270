package dev.lanekeeper.streams;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.lanekeeper.message.MessageCodec;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.TimestampExtractor;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The audit as a Kafka Streams topology, and its findings while it runs. Thread-safe. One instance belongs to one {@code
 * KafkaStreams} or test driver.
 *
 * <p>A record sent and an outcome belong together by the coordinates of the record; the value sent is never decoded. What
 * is kept: one small row per customer and partition, one row per record that waits for its other half, and eight bytes per
 * record by which a repeat is known for ever. No verdict depends on how the two topics are read against each other.
 *
 * <p>The audit counts what it reads, so it must read each record once. With {@link AuditSettings.Stores#PERSISTENT} set
 * {@code processing.guarantee=exactly_once_v2}: state and positions then commit together. With {@link
 * AuditSettings.Stores#IN_MEMORY} there is nothing to come back to: run it once, from the beginning, in one thread.
 */
public final class AuditTopology {
    private static final TimestampExtractor TIMESTAMPS = (record, partitionTime) -> Math.max(0, record.timestamp());

    private final AuditSettings settings;
    private final Ledger ledger;
    private final Topology topology;

    /** An audit of everything the topics hold. */
    public AuditTopology(AuditSettings settings) {
        this(settings, Map.of());
    }

    /** {@code sentFrom}: per partition the oldest offset that is kept; an outcome of an older record is not unknown. */
    AuditTopology(AuditSettings settings, Map<Integer, Long> sentFrom) {
        this.settings = settings;
        this.ledger = new Ledger(settings);
        this.topology = build(Map.copyOf(sentFrom));
    }

    /** What to start Kafka Streams with; built once. */
    public Topology topology() {
        return topology;
    }

    /** What has been found so far; a tenth of a second old at most while tasks run. */
    public AuditReport report() {
        return ledger.report();
    }

    /** Says that nothing more will come: each task now calls what still waits for its other half lost or unknown. */
    public void settle() {
        ledger.settle();
    }

    /** How many tasks, one per partition, have done so since {@link #settle}. */
    public int settledTasks() {
        return ledger.settledTasks();
    }

    Ledger ledger() {
        return ledger;
    }

    private Topology build(Map<Integer, Long> sentFrom) {
        MessageCodec codec = new MessageCodec();
        JsonMapper mapper = new JsonMapper();
        Topology built = new Topology();
        for (String topic : List.of(settings.sentTopic(), settings.outcomesTopic())) {
            built.addSource(
                    AutoOffsetReset.earliest(),
                    "read-" + topic,
                    TIMESTAMPS,
                    new ByteArrayDeserializer(),
                    new ByteArrayDeserializer(),
                    topic);
        }
        built.addProcessor(
                "audit",
                () -> new AuditProcessor(settings, sentFrom, ledger, codec, mapper),
                "read-" + settings.sentTopic(),
                "read-" + settings.outcomesTopic());
        for (String name : List.of(
                AuditProcessor.UNMATCHED,
                AuditProcessor.PAGES,
                AuditProcessor.STRAYS,
                AuditProcessor.CURSORS,
                AuditProcessor.TRAILS,
                AuditProcessor.TALLY)) {
            built.addStateStore(store(name), "audit");
        }
        if (settings.findingsTopic() != null) {
            built.addSink(
                    "findings",
                    settings.findingsTopic(),
                    new ByteArraySerializer(),
                    new ByteArraySerializer(),
                    "audit");
        }
        return built;
    }

    private StoreBuilder<KeyValueStore<Bytes, byte[]>> store(String name) {
        boolean persistent = settings.stores() == AuditSettings.Stores.PERSISTENT;
        StoreBuilder<KeyValueStore<Bytes, byte[]>> builder = Stores.keyValueStoreBuilder(
                persistent ? Stores.persistentKeyValueStore(name) : Stores.inMemoryKeyValueStore(name),
                Serdes.Bytes(),
                Serdes.ByteArray());
        // cached, a row that many records touch goes to the changelog once per commit
        return persistent ? builder.withCachingEnabled() : builder.withLoggingDisabled();
    }
}
