package dev.lanekeeper.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lanekeeper.app.cli.Main;
import dev.lanekeeper.app.config.LanekeeperConfig;
import dev.lanekeeper.app.topics.TopicAdmin;
import dev.lanekeeper.app.topics.TopicPlan;
import dev.lanekeeper.message.MessageCodec;
import dev.lanekeeper.message.Outcome;
import dev.lanekeeper.simulator.SentReport;
import dev.lanekeeper.simulator.Simulator;
import dev.lanekeeper.simulator.progress.Progress;
import dev.lanekeeper.simulator.workload.Workload;
import dev.lanekeeper.simulator.workload.WorkloadSettings;
import dev.lanekeeper.streams.Audit;
import dev.lanekeeper.streams.AuditReport;
import dev.lanekeeper.streams.AuditSettings;
import dev.lanekeeper.testkit.broker.KafkaFixture;
import dev.lanekeeper.testkit.process.ChildJvm;
import dev.lanekeeper.testkit.process.ChildJvms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.IsolationLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** One of three processes is killed while it works: what the others make of it. */
class CrashIT {
    private static final int JOBS = 6_000;
    private static final double JOBS_PER_SECOND = 800;
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @RegisterExtension
    static final KafkaFixture KAFKA = new KafkaFixture();

    @RegisterExtension
    final ChildJvms jvms = new ChildJvms();

    @TempDir
    Path folder;

    private final MessageCodec codec = new MessageCodec();

    @Test
    @Timeout(300)
    void aKilledInstanceLosesNothing() throws Exception {
        Path file = configFile();
        LanekeeperConfig config = LanekeeperConfig.load(file, Map.of(), Map.of());
        new TopicAdmin(KAFKA.admin(), PATIENCE).create(TopicPlan.of(config));
        List<ChildJvm> instances = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            instances.add(jvms.start(
                    Main.class, "run", "--config", file.toString(), "--set", "lanekeeper.instance.id=instance-" + i));
        }
        instances.forEach(instance -> instance.awaitLine("running instance instance-", PATIENCE));
        CompletableFuture<SentReport> sending = CompletableFuture.supplyAsync(() -> send(config));

        await().atMost(PATIENCE).until(() -> outcomes(config).stream().anyMatch(CrashIT::isOfVictim));
        await().atMost(PATIENCE).until(() -> written(config) >= JOBS / 3);
        instances.get(0).kill9();
        assertThat(sending).as("killed while jobs were still coming").isNotDone();

        assertThat(sending.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).total()).isEqualTo(JOBS);
        await().atMost(PATIENCE).until(() -> CrashChecks.jobsWithOutcome(outcomes(config)) == JOBS);
        for (ChildJvm survivor : instances.subList(1, 3)) {
            survivor.terminate();
        }
        for (ChildJvm survivor : instances.subList(1, 3)) {
            assertThat(survivor.exitCode(PATIENCE)).isZero();
        }
        List<Outcome> outcomes = outcomes(config);
        assertThat(CrashChecks.outOfOrder(outcomes))
                .as("first outcomes in the order of the log")
                .isEmpty();
        assertThat(CrashChecks.overlaps(outcomes))
                .as("two runs of a customer at once")
                .isEmpty();
        assertThat(CrashChecks.repeatedNeedlessly(outcomes, "instance-1"))
                .as("repeated for no reason")
                .isEmpty();
        assertAuditIsClean(config, outcomes);
    }

    private void assertAuditIsClean(LanekeeperConfig config, List<Outcome> outcomes) throws InterruptedException {
        AuditSettings settings =
                AuditSettings.DEFAULT.withTopics(config.topics().get(0), config.outcomesTopic(), null);
        AuditReport report =
                new Audit(settings, config.streamsSettings()).run(Duration.ofSeconds(1), (read, all) -> {});
        assertThat(report.clean()).as(report.toString()).isTrue();
        assertThat(report.sent()).isEqualTo(JOBS);
        assertThat(report.done()).isEqualTo(JOBS);
        assertThat(report.redelivered()).isEqualTo(outcomes.size() - JOBS);
    }

    private static boolean isOfVictim(Outcome outcome) {
        return outcome.instance().equals("instance-1");
    }

    private Path configFile() throws Exception {
        Path file = folder.resolve("processor.properties");
        String topic = KAFKA.uniqueName("crash");
        Files.writeString(
                file,
                String.join(
                        "\n",
                        "kafka.bootstrap.servers=" + KAFKA.bootstrapServers(),
                        "lanekeeper.group.id=" + topic,
                        "lanekeeper.topics=" + topic,
                        "lanekeeper.topic.outcomes=" + topic + "-outcomes",
                        "lanekeeper.topic.dead.letters=" + topic + "-dead",
                        "lanekeeper.topic.partitions=6",
                        "lanekeeper.handler=" + DemoHandler.class.getName(),
                        "handler.demo.work.ms=5",
                        "consumer.session.timeout.ms=6000",
                        "consumer.heartbeat.interval.ms=1000",
                        ""));
        return file;
    }

    private static SentReport send(LanekeeperConfig config) {
        Workload workload = new Workload(new WorkloadSettings(JOBS, 60, 0.5, 0, 11), InstantSource.system());
        try (Producer<byte[], byte[]> producer = Simulator.producer(config.producerSettings())) {
            return new Simulator(producer, config.topics().get(0), OptionalDouble.of(JOBS_PER_SECOND))
                    .run(workload, Progress.none());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static long written(LanekeeperConfig config) {
        return KAFKA.endOffsets(config.outcomesTopic()).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** As they lie in the topic: those of a customer in order. */
    private List<Outcome> outcomes(LanekeeperConfig config) {
        List<Outcome> outcomes = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> each :
                KAFKA.readToEnd(config.outcomesTopic(), IsolationLevel.READ_COMMITTED)) {
            outcomes.add(codec.outcome(each.value()));
        }
        return outcomes;
    }
}
