package dev.lanekeeper.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lanekeeper.app.config.LanekeeperConfig;
import dev.lanekeeper.app.topics.TopicAdmin;
import dev.lanekeeper.app.topics.TopicPlan;
import dev.lanekeeper.message.Outcome;
import dev.lanekeeper.simulator.SentReport;
import dev.lanekeeper.simulator.Simulator;
import dev.lanekeeper.simulator.progress.Progress;
import dev.lanekeeper.simulator.workload.Workload;
import dev.lanekeeper.simulator.workload.WorkloadSettings;
import dev.lanekeeper.streams.Audit;
import dev.lanekeeper.streams.AuditReport;
import dev.lanekeeper.streams.AuditSettings;
import dev.lanekeeper.streams.Finding;
import dev.lanekeeper.testkit.Seed;
import dev.lanekeeper.testkit.broker.BrokerCluster;
import dev.lanekeeper.testkit.process.ChildJvms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Three brokers, several instances, and everything that can happen to them, while jobs keep coming: afterwards every job
 * has its outcome, and each customer's were done in order, one at a time.
 *
 * <p>{@code -Dchaos.seconds} says how long, {@code -Dchaos.instances} how many; the profiles {@code
 * chaos} and {@code soak} make it ten minutes and an hour.
 */
@ExtendWith(Seed.class)
class ChaosIT {
    private static final Logger log = LoggerFactory.getLogger(ChaosIT.class);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int JOBS_PER_SECOND = 300;
    private static final int SECONDS = Integer.getInteger("lanekeeper.chaos.seconds", 100);
    private static final int INSTANCES = Integer.getInteger("lanekeeper.chaos.instances", 3);

    @RegisterExtension
    final ChildJvms jvms = new ChildJvms();

    @TempDir
    Path folder;

    @Test
    void whateverHappensNothingIsLostAndNothingOvertakes(RandomGenerator random) throws Exception {
        try (BrokerCluster brokers = BrokerCluster.start(jvms, 3, folder)) {
            LanekeeperConfig direct = load(brokers.bootstrapServers(), "direct");
            write(brokers.proxiedServers(), "proxied");
            try (Admin admin = Admin.create(direct.adminSettings())) {
                new TopicAdmin(admin, PATIENCE).create(TopicPlan.of(direct));
            }
            ChaosFleet fleet = new ChaosFleet(jvms, file("proxied"));
            for (int i = 0; i < INSTANCES; i++) {
                fleet.launch();
            }
            fleet.names().forEach(fleet::awaitRunning);
            try (OutcomeLog outcomes = new OutcomeLog(direct)) {
                CompletableFuture<SentReport> sending = CompletableFuture.supplyAsync(() -> send(direct));
                ChaosFaults faults = new ChaosFaults(fleet, brokers, random);
                wreakHavoc(faults, fleet, outcomes, sending);
                long sent = sending.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).total();
                await().atMost(PATIENCE).until(() -> outcomes.jobs() == sent);
                fleet.stopAll();
                log.info("faults: {}", faults.done());
                assertThat(faults.done().keySet()).containsExactlyInAnyOrder(ChaosFaults.Fault.values());
                for (int id = 1; id <= brokers.size(); id++) {
                    assertThat(brokers.proxy(id).connections())
                            .as("connections through proxy %d", id)
                            .isPositive();
                }
                assertOrder(outcomes.all(), fleet.expelled());
                assertAudit(direct, sent);
            }
        }
    }

    /** Fault after fault until all jobs are sent, and after each one the work has to go on. */
    private static void wreakHavoc(
            ChaosFaults faults, ChaosFleet fleet, OutcomeLog outcomes, CompletableFuture<SentReport> sending)
            throws InterruptedException {
        while (!sending.isDone() || faults.done().size() < ChaosFaults.Fault.values().length) {
            ChaosFaults.Fault fault = faults.next();
            log.info("fault: {}", fault);
            faults.doNow(fault);
            fleet.requireAlive();
            long before = outcomes.written();
            if (!sending.isDone()) {
                await().atMost(PATIENCE)
                        .pollInterval(Duration.ofMillis(200))
                        .until(() -> outcomes.written() > before + JOBS_PER_SECOND || sending.isDone());
            }
        }
    }

    private static void assertOrder(List<Outcome> outcomes, Set<String> expelled) {
        assertThat(CrashChecks.outOfOrder(outcomes))
                .as("first outcomes in the order of the log")
                .isEmpty();
        List<Outcome> ofMembers = outcomes.stream()
                .filter(outcome -> !expelled.contains(outcome.instance()))
                .toList();
        log.info("{} of {} outcomes are of members that were never expelled", ofMembers.size(), outcomes.size());
        assertThat(ofMembers).as("outcomes that can be compared").hasSizeGreaterThan(outcomes.size() / 10);
        assertThat(CrashChecks.overlaps(ofMembers))
                .as("two runs of a customer at once, by members that were never expelled")
                .isEmpty();
    }

    private static void assertAudit(LanekeeperConfig config, long sent) throws InterruptedException {
        AuditSettings settings =
                AuditSettings.DEFAULT.withTopics(config.topics().get(0), config.outcomesTopic(), null);
        AuditReport report =
                new Audit(settings, config.streamsSettings()).run(Duration.ofSeconds(2), (read, all) -> {});
        log.info("audit: {}", report);
        assertThat(report.comparisons()).isPositive();
        assertThat(report.sent()).isEqualTo(sent);
        assertThat(report.done()).isEqualTo(sent);
        for (Finding.Kind kind : Finding.Kind.values()) {
            if (kind != Finding.Kind.OVERLAP) { // told apart by assertOrder: a frozen member may have one
                assertThat(report.count(kind)).as("%s in %s", kind, report).isZero();
            }
        }
    }

    private static SentReport send(LanekeeperConfig config) {
        Workload workload = new Workload(
                new WorkloadSettings((long) JOBS_PER_SECOND * SECONDS, 200, 0.5, 0, Seed.value()),
                InstantSource.system());
        try (Producer<byte[], byte[]> producer = Simulator.producer(config.producerSettings())) {
            return new Simulator(producer, config.topics().get(0), OptionalDouble.of(JOBS_PER_SECOND))
                    .run(workload, Progress.none());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private Path file(String name) {
        return folder.resolve(name + ".properties");
    }

    private LanekeeperConfig load(String bootstrapServers, String name) throws Exception {
        write(bootstrapServers, name);
        return LanekeeperConfig.load(file(name), Map.of(), Map.of());
    }

    private void write(String bootstrapServers, String name) throws Exception {
        Files.writeString(
                file(name),
                String.join(
                        "\n",
                        "kafka.bootstrap.servers=" + bootstrapServers,
                        "lanekeeper.group.id=chaos",
                        "lanekeeper.topics=chaos",
                        "lanekeeper.topic.outcomes=chaos-outcomes",
                        "lanekeeper.topic.dead.letters=chaos-dead",
                        "lanekeeper.topic.partitions=6",
                        "lanekeeper.handler=" + DemoHandler.class.getName(),
                        "lanekeeper.commit.interval.ms=500",
                        "handler.demo.work.ms=5",
                        "consumer.session.timeout.ms=10000",
                        "consumer.heartbeat.interval.ms=1000",
                        ""));
    }
}
