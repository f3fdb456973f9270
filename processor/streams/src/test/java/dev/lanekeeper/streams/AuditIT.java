package dev.lanekeeper.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.message.MessageCodec;
import dev.lanekeeper.message.Outcome;
import dev.lanekeeper.streams.AuditSettings.Stores;
import dev.lanekeeper.streams.Finding.Kind;
import dev.lanekeeper.testkit.broker.KafkaFixture;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class AuditIT {
    @RegisterExtension
    static final KafkaFixture KAFKA = new KafkaFixture();

    private static final int PARTITIONS = 3;
    private static final Duration UNTIL_IDLE = Duration.ofSeconds(1);

    private final MessageCodec codec = new MessageCodec();
    private final String jobs = KAFKA.uniqueName("jobs");
    private final String outcomes = KAFKA.uniqueName("outcomes");
    private final String findings = KAFKA.uniqueName("findings");
    private final AuditSettings settings = AuditSettings.DEFAULT.withTopics(jobs, outcomes, findings);

    @BeforeEach
    void createTopics() {
        KAFKA.createTopic(jobs, PARTITIONS);
        KAFKA.createTopic(outcomes, PARTITIONS);
        KAFKA.createTopic(findings, 1);
    }

    @Test
    void auditsAHundredThousandRecordsAndLeavesNothingBehind(@TempDir Path folder) throws Exception {
        int records = 50_000;
        List<RecordMetadata> sent = send(records);
        KAFKA.produce(outcomesOf(sent));
        List<long[]> progress = new ArrayList<>();
        long beganNanos = System.nanoTime();
        AuditReport report = audit(settings, Map.of("state.dir", folder.toString()))
                .run(UNTIL_IDLE, (read, total) -> progress.add(new long[] {read, total}));
        Duration took = Duration.ofNanos(System.nanoTime() - beganNanos);
        assertThat(report.clean()).as("%s", report).isTrue();
        assertThat(report)
                .returns((long) records, AuditReport::sent)
                .returns((long) records, AuditReport::done)
                .returns(500L, AuditReport::customers);
        assertThat(took).isLessThan(Duration.ofSeconds(60));
        assertThat(progress.get(progress.size() - 1)).containsExactly(2L * records, 2L * records);
        assertThat(KAFKA.admin().listGroups().valid().get(30, TimeUnit.SECONDS))
                .noneMatch(group -> group.groupId().startsWith("lanekeeper-audit-"));
        assertThat(KAFKA.admin().listTopics().names().get(30, TimeUnit.SECONDS))
                .noneMatch(topic -> topic.startsWith("lanekeeper-audit-"));
        try (var left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
        assertThat(KAFKA.readToEnd(findings, IsolationLevel.READ_COMMITTED)).isEmpty();
    }

    @Test
    void findsWhatIsPlantedAndWritesItDown() throws Exception {
        List<RecordMetadata> sent = send(300);
        List<ProducerRecord<byte[], byte[]>> outcomesOf = outcomesOf(sent);
        outcomesOf.remove(120);
        outcomesOf.add(outcomesOf.get(7));
        outcomesOf.add(new ProducerRecord<>(outcomes, 0, null, new byte[] {'{'}));
        KAFKA.produce(outcomesOf);
        AuditReport report = audit(settings, Map.of()).run(UNTIL_IDLE, (read, total) -> {});
        assertThat(report.clean()).isFalse();
        assertThat(report.count(Kind.LOSS)).isEqualTo(1);
        assertThat(report.count(Kind.DUPLICATE)).isEqualTo(1);
        assertThat(report.count(Kind.OVERLAP)).isEqualTo(1);
        assertThat(report.count(Kind.UNDECODABLE)).isEqualTo(1);
        assertThat(report.violations()).isEqualTo(4).isEqualTo(report.findings().size());
        assertThat(KAFKA.readAll(findings, 4, Duration.ofSeconds(30))).hasSize(4);
    }

    @Test
    void believesCommittedOutcomesOnlyAndReadsPastTheMarkers() throws Exception {
        List<ProducerRecord<byte[], byte[]>> outcomesOf = outcomesOf(send(30));
        Map<String, Object> config = KAFKA.clientSettings();
        config.put("transactional.id", KAFKA.uniqueName("tx"));
        try (Producer<byte[], byte[]> producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.initTransactions();
            Future<?> last = CompletableFuture.completedFuture(null);
            for (boolean commit : new boolean[] {false, true}) {
                producer.beginTransaction();
                for (ProducerRecord<byte[], byte[]> outcome : outcomesOf) {
                    last = producer.send(outcome);
                }
                last.get(30, TimeUnit.SECONDS);
                if (commit) {
                    producer.commitTransaction();
                } else {
                    producer.abortTransaction();
                }
            }
        }
        AuditReport report = audit(settings, Map.of()).run(UNTIL_IDLE, (read, total) -> {});
        assertThat(report.clean()).as("%s", report).isTrue();
        assertThat(report.done()).isEqualTo(30);
    }

    @Test
    void goesOnUnderAGivenNameWithoutForgettingOrCountingTwice(@TempDir Path folder) throws Exception {
        Map<String, Object> named = Map.of(
                "application.id",
                KAFKA.uniqueName("standing-audit"),
                "state.dir",
                folder.toString(),
                "replication.factor",
                1);
        AuditSettings persistent = settings.withStores(Stores.PERSISTENT);
        List<ProducerRecord<byte[], byte[]>> outcomesOf = outcomesOf(send(60));
        KAFKA.produce(outcomesOf.subList(0, 40));
        AuditReport first = audit(persistent, named).run(UNTIL_IDLE, (read, total) -> {});
        assertThat(first.count(Kind.LOSS)).isEqualTo(20).isEqualTo(first.violations());
        KAFKA.produce(outcomesOf.subList(40, 60));
        AuditReport second = audit(persistent, named).run(UNTIL_IDLE, (read, total) -> {});
        assertThat(second.clean()).as("%s", second).isTrue();
        assertThat(second).returns(60L, AuditReport::sent).returns(60L, AuditReport::done);
    }

    @Test
    void doesNotCallUnknownWhatRetentionHasDeleted() throws Exception {
        List<RecordMetadata> sent = send(60);
        KAFKA.produce(outcomesOf(sent));
        Map<TopicPartition, RecordsToDelete> cut = new HashMap<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            cut.put(new TopicPartition(jobs, partition), RecordsToDelete.beforeOffset(5));
        }
        KAFKA.admin().deleteRecords(cut).all().get(30, TimeUnit.SECONDS);
        AuditReport report = audit(settings, Map.of()).run(UNTIL_IDLE, (read, total) -> {});
        assertThat(report.clean()).as("%s", report).isTrue();
        assertThat(report.sent()).isEqualTo(60 - 5 * PARTITIONS);
    }

    @Test
    void namesTheTopicThatIsMissingOrDoesNotFit() {
        AuditSettings missing = settings.withTopics(jobs, outcomes, "no-such-topic");
        assertThatThrownBy(() -> audit(missing, Map.of()).run(UNTIL_IDLE, (read, total) -> {}))
                .isInstanceOf(AuditException.class)
                .hasMessage("topic no-such-topic does not exist; create it, or name the one to audit");
        AuditSettings narrow = settings.withTopics(jobs, findings, null);
        assertThatThrownBy(() -> audit(narrow, Map.of()).run(UNTIL_IDLE, (read, total) -> {}))
                .isInstanceOf(AuditException.class)
                .hasMessage("topic " + findings + " must have as many partitions as " + jobs + " (3): 1");
    }

    private Audit audit(AuditSettings chosen, Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>(Map.of("bootstrap.servers", KAFKA.bootstrapServers()));
        config.putAll(more);
        return new Audit(chosen, config);
    }

    private List<RecordMetadata> send(int records) {
        List<ProducerRecord<byte[], byte[]>> batch = new ArrayList<>();
        for (int i = 0; i < records; i++) {
            int customer = i % 500;
            batch.add(new ProducerRecord<>(jobs, customer % PARTITIONS, key(customer), new byte[] {1}));
        }
        return KAFKA.produce(batch);
    }

    /** What an honest processor writes: in order, one second after another. */
    private List<ProducerRecord<byte[], byte[]>> outcomesOf(List<RecordMetadata> sent) {
        List<ProducerRecord<byte[], byte[]>> batch = new ArrayList<>();
        for (int i = 0; i < sent.size(); i++) {
            RecordMetadata record = sent.get(i);
            Instant startedAt = Scene.NOON.plusSeconds(i);
            Outcome outcome = new Outcome(
                    "j-" + i,
                    "c-" + i % 500,
                    null,
                    Outcome.Status.DONE,
                    1,
                    "i-1",
                    1,
                    record.topic(),
                    record.partition(),
                    record.offset(),
                    startedAt,
                    startedAt.plusSeconds(1),
                    false,
                    null,
                    Map.of());
            batch.add(new ProducerRecord<>(outcomes, record.partition(), key(i % 500), codec.encode(outcome)));
        }
        return batch;
    }

    private static byte[] key(int customer) {
        return ("c-" + customer).getBytes(StandardCharsets.UTF_8);
    }
}
