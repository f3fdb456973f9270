package dev.lanekeeper.demo;

import dev.lanekeeper.app.cli.CommandFailure;
import dev.lanekeeper.app.config.LanekeeperConfig;
import dev.lanekeeper.app.topics.TopicAdmin;
import dev.lanekeeper.app.topics.TopicPlan;
import dev.lanekeeper.demo.report.DemoReport;
import dev.lanekeeper.demo.report.JobLedger;
import dev.lanekeeper.simulator.SendFailedException;
import dev.lanekeeper.simulator.SentReport;
import dev.lanekeeper.simulator.Simulator;
import dev.lanekeeper.simulator.progress.Progress;
import dev.lanekeeper.simulator.workload.Workload;
import dev.lanekeeper.simulator.workload.WorkloadSettings;
import dev.lanekeeper.streams.Audit;
import dev.lanekeeper.streams.AuditReport;
import dev.lanekeeper.streams.AuditSettings;
import dev.lanekeeper.testkit.broker.EmbeddedKafka;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;

/** One demo against a broker that runs: topics, processors, traffic, audit. Confined to the main thread. */
final class Demo {
    private static final Duration BROKER_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration LONGEST_STALL = Duration.ofSeconds(60);
    private static final Duration AUDIT_IDLE = Duration.ofMillis(500);

    private final EmbeddedKafka kafka;
    private final WorkloadSettings workload;
    private final int instances;
    private final Consumer<String> says;

    /** A demo that tells {@code says} where it is, a line at a time. */
    Demo(EmbeddedKafka kafka, WorkloadSettings workload, int instances, Consumer<String> says) {
        this.says = says;
        this.kafka = kafka;
        this.workload = workload;
        this.instances = instances;
    }

    /**
     * Runs it from the topics to the audit.
     *
     * @throws InterruptedException if the thread is interrupted; everything that was started has ended then
     * @throws CommandFailure if a part of it could not go on
     */
    DemoReport run() throws InterruptedException {
        LanekeeperConfig config = config("demo");
        createTopics(config);
        DemoTopics topics = new DemoTopics(config.topics().get(0), config.outcomesTopic(), config.deadLettersTopic());
        SentReport sent;
        JobLedger ledger;
        try (Instances processors = new Instances(instances, number -> config("demo-" + number))) {
            processors.awaitShares(config.topicPartitions());
            try (Progress progress = Progress.start("jobs done", workload.jobs());
                    TopicsReader reader = new TopicsReader(config.adminSettings(), topics, progress::stepTo)) {
                sent = send(config, topics.jobs());
                awaitOutcomes(sent.total(), reader, processors);
                processors.stop(); // so that nothing is written any more when the reader looks for the end
                ledger = finish(reader);
            }
        }
        says.accept("auditing what the topics hold...");
        return new DemoReport(sent, ledger, audit(config, topics), config.topicPartitions(), instances);
    }

    private LanekeeperConfig config(String instanceId) {
        Map<String, String> standards = Map.of("lanekeeper.commit.interval.ms", "200");
        Map<String, String> fixed = Map.of(
                "kafka.bootstrap.servers",
                kafka.bootstrapServers(),
                "lanekeeper.topics",
                "customer-jobs",
                "lanekeeper.instance.id",
                instanceId,
                "lanekeeper.handler",
                DemoHandler.class.getName());
        return LanekeeperConfig.load(standards, System.getenv(), fixed);
    }

    private static void createTopics(LanekeeperConfig config) throws InterruptedException {
        try (Admin admin = Admin.create(config.adminSettings())) {
            new TopicAdmin(admin, BROKER_TIMEOUT).create(TopicPlan.of(config));
        }
    }

    private SentReport send(LanekeeperConfig config, String topic) throws InterruptedException {
        try (Producer<byte[], byte[]> producer = Simulator.producer(config.producerSettings())) {
            SentReport report = new Simulator(producer, topic, OptionalDouble.empty())
                    .run(new Workload(workload, InstantSource.system()), Progress.none());
            // cleared before the producer is closed, which an interrupt would cut short
            if (Thread.interrupted()) {
                throw new InterruptedException("stopped after " + report.total() + " jobs were sent");
            }
            return report;
        } catch (SendFailedException e) {
            throw new CommandFailure(String.valueOf(e.getMessage()), e);
        }
    }

    /** Returns too when nothing has come for long: the report then says what is missing. */
    private void awaitOutcomes(long jobs, TopicsReader reader, Instances processors) throws InterruptedException {
        CompletableFuture<?> end = CompletableFuture.anyOf(
                reader.reached(jobs),
                processors.ended().thenRun(Demo::endedEarly),
                kafka.failure().thenAccept(Demo::failed));
        long last = -1;
        long lastNanos = System.nanoTime();
        while (System.nanoTime() - lastNanos < LONGEST_STALL.toNanos()) {
            try {
                end.get(LOOK.toMillis(), TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException e) {
                long now = reader.withOutcome();
                if (now != last) {
                    last = now;
                    lastNanos = System.nanoTime();
                }
            } catch (ExecutionException e) {
                throw new CommandFailure("the demo cannot go on: " + e.getCause(), e);
            }
        }
    }

    private static void endedEarly() {
        throw new IllegalStateException("a processor ended before its time");
    }

    private static void failed(Throwable cause) {
        throw new IllegalStateException("the broker stopped by itself: " + cause, cause);
    }

    private static JobLedger finish(TopicsReader reader) throws InterruptedException {
        try {
            return reader.finish().get(BROKER_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new CommandFailure("the topics cannot be read: " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new CommandFailure("the topics were not read within " + BROKER_TIMEOUT.toSeconds() + " s", e);
        }
    }

    private static AuditReport audit(LanekeeperConfig config, DemoTopics topics) throws InterruptedException {
        AuditSettings settings =
                AuditSettings.DEFAULT.withTopics(topics.jobs(), topics.outcomes(), config.findingsTopic());
        Map<String, Object> streams = new HashMap<>(config.streamsSettings());
        return new Audit(settings, streams).run(AUDIT_IDLE, (read, total) -> {});
    }
}
