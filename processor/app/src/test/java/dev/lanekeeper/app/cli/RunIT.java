package dev.lanekeeper.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lanekeeper.app.handlers.ConfigurableHandler;
import dev.lanekeeper.engine.handler.Delivery;
import dev.lanekeeper.engine.handler.Handler;
import dev.lanekeeper.message.Job;
import dev.lanekeeper.message.MessageCodec;
import dev.lanekeeper.message.Outcome;
import dev.lanekeeper.testkit.KeyOrderLedger;
import dev.lanekeeper.testkit.Seed;
import dev.lanekeeper.testkit.broker.KafkaFixture;
import dev.lanekeeper.testkit.process.ChildJvm;
import dev.lanekeeper.testkit.process.ChildJvms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(Seed.class)
class RunIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int PARTITIONS = 4;
    private static final int CUSTOMERS = 60;
    private static final int JOBS = 1_500;

    @RegisterExtension
    static final KafkaFixture KAFKA = new KafkaFixture();

    @RegisterExtension
    final ChildJvms jvms = new ChildJvms();

    private Scene scene = new Scene(KAFKA, Path.of(""));

    @BeforeEach
    void setScene(@TempDir Path folder) throws IOException {
        scene = new Scene(KAFKA, folder);
    }

    @Test
    void everyJobIsPostedOnceAndEachCustomersInOrder(Random random) throws IOException {
        scene.createTopics(PARTITIONS);
        try (JobServer server = new JobServer(exchange -> {
            long offset = Long.parseLong(JobServer.header(exchange, "Lanekeeper-Offset"));
            boolean first = JobServer.header(exchange, "Lanekeeper-Attempt").equals("1");
            return offset % 20 == 7 && first ? 503 : offset % 50 == 9 ? 422 : 200;
        })) {
            List<RecordMetadata> sent = send(random, server.ledger());
            ChildJvm child = run(server);
            awaitAll(server);
            awaitCommitted();
            child.terminate();

            assertThat(child.exitCode(PATIENCE)).isZero();
            server.ledger().assertClean();
            assertThat(server.ledger().peakInProgress()).isGreaterThan(PARTITIONS * 2);
            long refused = sent.stream().filter(job -> job.offset() % 50 == 9).count();
            assertThat(refused).isPositive();
            Map<Outcome.Status, Long> ends =
                    outcomes().stream().collect(Collectors.groupingBy(Outcome::status, Collectors.counting()));
            assertThat(ends)
                    .containsOnly(
                            Map.entry(Outcome.Status.DONE, JOBS - refused), Map.entry(Outcome.Status.FAILED, refused));
            assertThat(scene.read("dead", (int) refused)).hasSize((int) refused);
            assertThat(child.awaitLine("ended: ", PATIENCE))
                    .contains((JOBS - refused) + " done", refused + " dead-lettered", " 0 left for the next owner");
            assertAudited();
        }
    }

    @Test
    void stopInTheMiddleAndARestartLoseNothingAndKeepTheOrder(Random random) throws IOException {
        scene.createTopics(PARTITIONS);
        try (JobServer server = new JobServer(exchange -> 200)) {
            send(random, server.ledger());
            ChildJvm first = run(server);
            await().atMost(PATIENCE).until(() -> server.answered() > JOBS / 5);
            first.terminate();
            assertThat(first.exitCode(PATIENCE)).isZero();
            int before = server.answered();
            assertThat(before).isLessThan(JOBS);
            assertThat(KAFKA.lag(scene.group(), scene.topic("jobs"))).isPositive();

            // What was done ahead of a job that was not is done again: at least once.
            server.ledger().allowRedelivery();
            server.nextLife("second");
            ChildJvm second = run(server);
            awaitAll(server);
            awaitCommitted();
            second.terminate();
            assertThat(second.exitCode(PATIENCE)).isZero();

            server.ledger().assertClean();
            assertThat(outcomes()).hasSizeGreaterThanOrEqualTo(JOBS);
            assertAudited();
        }
    }

    @Test
    void whatIsNoJobIsSetAsideAndTheRestGoesOn() throws IOException {
        scene.createTopics(PARTITIONS);
        try (JobServer server = new JobServer(exchange -> 200)) {
            KAFKA.produce(List.of(
                    scene.record("jobs", "c-1", "{"),
                    scene.record("jobs", null, Scene.job("j-0", "c-1")),
                    scene.record("jobs", "c-1", null),
                    scene.record("jobs", "c-1", "{\"type\":\"job\",\"id\":\"j\"}"),
                    scene.record("jobs", "c-2", Scene.job("j-1", "c-1")),
                    scene.record("jobs", "c-1", Scene.job("j-2", "c-1"))));
            ChildJvm child = run(server);
            Map<String, Outcome> outcomes = scene.read("outcomes", 6).stream()
                    .map(record -> new MessageCodec().outcome(record.value()))
                    .collect(Collectors.toMap(
                            outcome -> outcome.partition() + "@" + outcome.offset(), Function.identity()));
            child.terminate();

            assertThat(child.exitCode(PATIENCE)).isZero();
            assertThat(outcomes).hasSize(6);
            assertThat(outcomes.values().stream().filter(outcome -> outcome.status() == Outcome.Status.DONE))
                    .extracting(Outcome::jobId)
                    .containsExactly("j-2");
            assertThat(scene.read("dead", 5)).hasSize(5);
            assertThat(server.answered()).isEqualTo(1);
            assertAudited();
        }
    }

    /** A handler that no retry can help. */
    public static final class OutOfMemory implements Handler<String, Job> {
        @Override
        public void handle(Delivery<String, Job> delivery) {
            throw new OutOfMemoryError("planted");
        }
    }

    @Test
    void errorThatTheEngineCannotGoOnFromIsOneLineAndAFailure() throws IOException {
        scene.createTopics(1);
        KAFKA.produce(List.of(scene.record("jobs", "c-1", Scene.job("j-1", "c-1"))));
        Commands commands = new Commands();

        int code = commands.run("run", "--config", scene.config("lanekeeper.handler", OutOfMemory.class.getName()));

        assertThat(code).isEqualTo(ExitCode.FAILED);
        assertThat(commands.err().lines())
                .singleElement()
                .asString()
                .contains("cannot go on: OutOfMemoryError: planted");
        assertThat(KAFKA.lag(scene.group(), scene.topic("jobs"))).isEqualTo(1);
    }

    /** Counts, and is closed at the end. */
    public static final class Counting implements Handler<String, Job>, ConfigurableHandler, AutoCloseable {
        private Path folder = Path.of("");

        @Override
        public void configure(Map<String, String> settings) {
            folder = Path.of(settings.getOrDefault("handler.counting.folder", ""));
        }

        @Override
        public void handle(Delivery<String, Job> delivery) throws IOException {
            Files.createFile(
                    folder.resolve(Objects.requireNonNull(delivery.value()).id()));
        }

        @Override
        public void close() throws IOException {
            Files.createFile(folder.resolve("closed"));
        }
    }

    @Test
    void handlerOfTheUsersOwnIsConfiguredCalledAndClosed(@TempDir Path folder) throws IOException {
        scene.createTopics(1);
        KAFKA.produce(List.of(scene.record("jobs", "c-1", Scene.job("j-1", "c-1"))));
        String config = scene.config(
                "lanekeeper.handler", Counting.class.getName(), "handler.counting.folder", folder.toString());
        Commands commands = new Commands();

        CompletableFuture<Integer> code = CompletableFuture.supplyAsync(() -> commands.run("run", "--config", config));
        scene.read("outcomes", 1);
        commands.stop();

        assertThat(code.join()).isZero();
        assertThat(folder.resolve("j-1")).exists();
        assertThat(folder.resolve("closed")).exists();
        assertThat(commands.out()).contains("1 done");
        assertThat(KAFKA.lag(scene.group(), scene.topic("jobs"))).isZero();
    }

    @Test
    void topicsThatAreNotThereAreNamed() throws IOException {
        Commands commands = new Commands();

        int code = commands.run("run", "--config", scene.config("handler.http.url", "http://127.0.0.1:1/"));

        assertThat(code).isEqualTo(ExitCode.FAILED);
        assertThat(commands.err().lines())
                .singleElement()
                .asString()
                .contains(scene.topic("jobs"), scene.topic("outcomes"), scene.topic("dead"), "topics create");
    }

    @Test
    void outcomesWithTooFewPartitionsAreNamed() throws IOException {
        KAFKA.createTopic(scene.topic("jobs"), 3);
        KAFKA.createTopic(scene.topic("outcomes"), 2);
        KAFKA.createTopic(scene.topic("dead"), 1);
        Commands commands = new Commands();

        int code = commands.run("run", "--config", scene.config("handler.http.url", "http://127.0.0.1:1/"));

        assertThat(code).isEqualTo(ExitCode.FAILED);
        assertThat(commands.err().lines())
                .singleElement()
                .asString()
                .contains(scene.topic("outcomes") + " has 2 partitions", scene.topic("jobs") + " has 3");
    }

    private ChildJvm run(JobServer server) throws IOException {
        ChildJvm child = jvms.start(
                Main.class,
                "run",
                "--config",
                scene.config(
                        "handler.http.url", server.url(),
                        "lanekeeper.concurrency", "40",
                        "lanekeeper.commit.interval.ms", "100",
                        "lanekeeper.instance.id", "i-1"));
        assertThat(child.awaitLine("lanekeeper: running", PATIENCE)).contains("instance i-1", "handler http");
        return child;
    }

    /** Jobs of interleaved customers; the ledger learns what was sent. */
    private List<RecordMetadata> send(Random random, KeyOrderLedger<String> ledger) {
        List<String> customers = new ArrayList<>();
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (int i = 0; i < JOBS; i++) {
            String customer = "c-" + random.nextInt(CUSTOMERS);
            customers.add(customer);
            records.add(scene.record("jobs", customer, Scene.job("j-" + i, customer)));
        }
        List<RecordMetadata> sent = KAFKA.produce(records);
        for (int i = 0; i < JOBS; i++) {
            ledger.sent(customers.get(i), sent.get(i).offset());
        }
        return sent;
    }

    private static void awaitAll(JobServer server) {
        await().atMost(PATIENCE).until(server.ledger()::isComplete);
    }

    private void awaitCommitted() {
        await().atMost(PATIENCE).until(() -> KAFKA.lag(scene.group(), scene.topic("jobs")) == 0);
    }

    private List<Outcome> outcomes() {
        return KAFKA.readToEnd(scene.topic("outcomes"), IsolationLevel.READ_COMMITTED).stream()
                .map(record -> new MessageCodec().outcome(record.value()))
                .toList();
    }

    private void assertAudited() throws IOException {
        Commands commands = new Commands();
        int code = commands.run("audit", "--config", scene.config(), "--until-idle", "1s");
        assertThat(commands.out()).contains("CLEAN");
        assertThat(code).isZero();
    }
}
