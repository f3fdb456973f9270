package dev.lanekeeper.streams;

import dev.lanekeeper.message.MessageCodec;
import dev.lanekeeper.message.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;

/** One partition of both topics in a test driver. Offsets count up from 0 in the order records are sent. */
final class Scene implements AutoCloseable {
    static final Instant NOON = Instant.parse("2026-01-02T12:00:00Z");
    static final String SENT = AuditSettings.DEFAULT.sentTopic();

    private final AuditTopology audit;
    private final TopologyTestDriver driver;
    private final TestInputTopic<byte @Nullable [], byte[]> sent;
    private final TestInputTopic<byte @Nullable [], byte[]> outcomes;
    private final TestOutputTopic<byte[], byte[]> findings;
    private final MessageCodec codec = new MessageCodec();

    Scene() {
        this(AuditSettings.DEFAULT);
    }

    Scene(AuditSettings settings) {
        audit = new AuditTopology(settings);
        Properties config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "scene");
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:1");
        driver = new TopologyTestDriver(audit.topology(), config);
        sent = driver.createInputTopic(settings.sentTopic(), new ByteArraySerializer(), new ByteArraySerializer());
        outcomes =
                driver.createInputTopic(settings.outcomesTopic(), new ByteArraySerializer(), new ByteArraySerializer());
        findings = driver.createOutputTopic(
                String.valueOf(settings.findingsTopic()), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    Scene sent(@Nullable String... customers) {
        for (String customer : customers) {
            sent.pipeInput(key(customer), "not even JSON".getBytes(StandardCharsets.UTF_8));
        }
        return this;
    }

    Scene outcome(@Nullable String customer, Outcome outcome) {
        return rawOutcome(customer, codec.encode(outcome));
    }

    Scene rawOutcome(@Nullable String customer, byte @Nullable [] value) {
        outcomes.pipeInput(new TestRecord<>(key(customer), value));
        return this;
    }

    Scene pass(Duration time) {
        driver.advanceWallClockTime(time);
        return this;
    }

    AuditReport settled() {
        audit.settle();
        driver.advanceWallClockTime(AuditProcessor.PUBLISH_INTERVAL);
        return audit.report();
    }

    AuditReport soFar() {
        driver.advanceWallClockTime(AuditProcessor.PUBLISH_INTERVAL);
        return audit.report();
    }

    List<String> findings() {
        return findings.readValuesToList().stream()
                .map(value -> new String(value, StandardCharsets.UTF_8))
                .toList();
    }

    List<TestRecord<byte[], byte[]>> findingRecords() {
        return findings.readRecordsToList();
    }

    /** An outcome of offset {@code offset} that ran from second {@code from} to second {@code to}. */
    static Outcome ran(long offset, String instance, int epoch, double from, double to) {
        return outcome(SENT, offset, Outcome.Status.DONE, 1, instance, epoch, from, to);
    }

    static Outcome outcome(
            String topic,
            long offset,
            Outcome.Status status,
            int attempt,
            String instance,
            int epoch,
            double from,
            double to) {
        return new Outcome(
                "j-" + offset,
                "c",
                null,
                status,
                attempt,
                instance,
                epoch,
                topic,
                0,
                offset,
                NOON.plusMillis((long) (from * 1000)),
                NOON.plusMillis((long) (to * 1000)),
                false,
                null,
                Map.of());
    }

    @Override
    public void close() {
        driver.close();
    }

    private static byte @Nullable [] key(@Nullable String customer) {
        return customer == null ? null : customer.getBytes(StandardCharsets.UTF_8);
    }
}
