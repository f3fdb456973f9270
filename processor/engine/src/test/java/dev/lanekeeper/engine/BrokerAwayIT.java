package dev.lanekeeper.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.handler.Delivery;
import dev.lanekeeper.testkit.KeyOrderLedger;
import dev.lanekeeper.testkit.broker.BrokerSettings;
import dev.lanekeeper.testkit.broker.EmbeddedKafka;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All brokers are away, which is one, and come back or don't, with the log they had or with less of it. The broker is this
 * class's own; its folder and its port stay when it is stopped.
 */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BrokerAwayIT {
    private static final int SESSION_MS = 1_000;

    /** At offset 5. */
    private static final String STUCK = "old-5";

    private Path folder;
    private BrokerSettings settings;
    private EmbeddedKafka broker;
    private String topic;
    private TopicPartition partition;
    private Puppet puppet;

    @BeforeAll
    void startBroker(@TempDir Path given) throws IOException {
        folder = given;
        settings = BrokerSettings.DEFAULTS
                .keptIn(folder.resolve("data"))
                .with("group.consumer.session.timeout.ms", Integer.toString(SESSION_MS));
        broker = EmbeddedKafka.start(settings);
        settings = settings.onPort(broker.port());
    }

    @BeforeEach
    void begin() {
        topic = "jobs-" + System.nanoTime();
        partition = new TopicPartition(topic, 0);
        puppet = new Puppet();
    }

    @AfterAll
    void stopBroker() {
        broker.close();
    }

    private void restart() throws IOException {
        broker = EmbeddedKafka.start(settings);
    }

    private Map<String, Object> client() {
        return new HashMap<>(Map.of("bootstrap.servers", broker.bootstrapServers()));
    }

    /** With a topic of its own, of one partition. */
    private void createTopic() throws Exception {
        try (Admin admin = Admin.create(client())) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1), new NewTopic(topic + "-dead", 1, (short) 1)))
                    .all()
                    .get(20, TimeUnit.SECONDS);
        }
    }

    /** Each of the customer of its last digit, but for one that has its lane for itself. */
    private static String customer(String value) {
        return value.equals(STUCK) ? "c-stuck" : "c-" + value.charAt(value.length() - 1);
    }

    private void send(List<String> values) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(client(), new ByteArraySerializer(), new ByteArraySerializer())) {
            for (String value : values) {
                producer.send(new ProducerRecord<>(topic, 0, customer(value).getBytes(UTF_8), value.getBytes(UTF_8)))
                        .get(20, TimeUnit.SECONDS);
            }
        }
    }

    private static List<String> values(String prefix, int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> prefix + i).toList();
    }

    private LaneKeeperBuilder<String, String> builder(String name) {
        return LaneKeeper.<String, String>builder()
                .name(name)
                .kafka(client())
                .kafka(Map.of("group.id", topic, "reconnect.backoff.max.ms", 200))
                .topics(topic)
                .deserializers(new StringDeserializer(), new StringDeserializer())
                .deadLetters(topic + "-dead")
                .commitInterval(Duration.ofMillis(20));
    }

    private static Map<String, Object> protocol(String name) {
        return name.equals("consumer")
                ? Map.of("group.protocol", name)
                : Map.of("group.protocol", name, "session.timeout.ms", SESSION_MS, "heartbeat.interval.ms", 100);
    }

    private long committed() {
        try (Admin admin = Admin.create(client())) {
            Map<TopicPartition, OffsetAndMetadata> all = admin.listConsumerGroupOffsets(topic)
                    .partitionsToOffsetAndMetadata()
                    .get(20, TimeUnit.SECONDS);
            OffsetAndMetadata committed = all.get(partition);
            return committed == null ? -1 : committed.offset();
        } catch (Exception e) {
            return -1; // it is on its way back
        }
    }

    // -- and come back

    /** What runs meanwhile ends meanwhile; work goes on where it was, in order, and nothing is lost. */
    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void workGoesOnWhenTheBrokerWasAwayForLongerThanTheSession(String protocol) throws Exception {
        createTopic();
        KeyOrderLedger<String> ledger = new KeyOrderLedger<>();
        ledger.allowRedelivery(); // what ended while nobody could be told
        CountDownLatch meanwhile = new CountDownLatch(1);
        List<String> values = values("", 0, 60);
        for (String value : values) {
            ledger.sent(customer(value), Integer.parseInt(value));
        }
        try (LaneKeeper<String, String> keeper = builder("patient")
                .consumerSettings(protocol(protocol))
                .handler(delivery -> handle(ledger, delivery, meanwhile))
                .build()) {
            keeper.start();
            send(values.subList(0, 30));
            await().until(() -> committed() == 29 && keeper.view().inFlight() == 1);
            broker.close();
            Awaitility.await().pollDelay(Duration.ofMillis(SESSION_MS * 3L / 2)).until(() -> true);
            meanwhile.countDown();
            await().until(() -> keeper.view().inFlight() == 0);
            restart();
            send(values.subList(30, 60));
            await().until(() -> committed() == 60);
            assertThat(ledger.isComplete()).isTrue();
            ledger.assertClean();
            assertThat(keeper.view().state()).isEqualTo(EngineState.RUNNING);
            assertThat(keeper.view().lanes().live()).isZero();
        }
    }

    private static void handle(
            KeyOrderLedger<String> ledger, Delivery<String, String> delivery, CountDownLatch meanwhile)
            throws InterruptedException {
        String key = String.valueOf(delivery.key());
        String life = "epoch " + delivery.epoch();
        ledger.started(key, delivery.record().offset(), life);
        if (delivery.record().offset() == 29) {
            meanwhile.await();
        }
        ledger.ended(key, delivery.record().offset(), life);
    }

    // -- with less than they had

    /** As after an unclean election: a leader that lacks the end of the log, which is written anew. */
    @Test
    void aLogThatWasCutAndWrittenAnewIsReadFromTheCutByARunningEngine() throws Exception {
        createTopic();
        try (LaneKeeper<String, String> keeper = builder("cut")
                .drainTimeout(Duration.ofMillis(200)) // each restart is a rebalance, and one record never ends
                .asyncHandler(this::handleButFive)
                .build()) {
            keeper.start();
            cutAndWriteAnew(keeper);
            await().until(() -> values().containsAll(values("new-", 10, 25)));
            await().until(() -> {
                puppet.finishAll();
                return committed() == 25;
            });
            assertThat(keeper.view().state()).isEqualTo(EngineState.RUNNING);
        }
    }

    /** The same while no instance runs: neither the offset nor the map of what is done tell of records that are gone. */
    @Test
    void aLogThatWasCutAndWrittenAnewIsReadFromTheCutByTheNextEngine() throws Exception {
        createTopic();
        LaneKeeper<String, String> first = builder("first")
                .drainTimeout(Duration.ofMillis(200)) // as above
                .asyncHandler(this::handleButFive)
                .build();
        first.start();
        writeThenCut(() -> {
            awaitAllButFive(first, 20);
            first.close(Duration.ZERO);
        });
        send(values("new-", 10, 25));
        Set<String> before = values();
        try (LaneKeeper<String, String> second =
                builder("second").asyncHandler(puppet.async()).build()) {
            second.start();
            await().until(() -> {
                puppet.finishAll();
                return committed() == 25;
            });
            Set<String> handled = values();
            handled.removeAll(before);
            assertThat(handled).containsAll(values("new-", 10, 25));
            assertThat(puppet.values().stream().filter(STUCK::equals).count()).isEqualTo(2);
        }
    }

    private Set<String> values() {
        return new TreeSet<>(puppet.values());
    }

    private CompletionStage<?> handleButFive(Delivery<String, String> delivery) throws Exception {
        var stage = puppet.async().handle(delivery);
        puppet.started().stream().filter(run -> !run.value().equals(STUCK)).forEach(Puppet.Run::finish);
        return stage;
    }

    private void awaitAllButFive(LaneKeeper<?, ?> keeper, int records) {
        await().until(() -> committed() == 5 && settled(keeper, records));
    }

    /** Whether the broker has heard of all that is done: there is one record left, and a map of a moment ago. */
    private static boolean settled(LaneKeeper<?, ?> keeper, int records) {
        return keeper.view().partitions().stream().allMatch(each -> each.incomplete() == 1 && each.mapBytes() > 0)
                && keeper.view().completed() == records - 1;
    }

    private void cutAndWriteAnew(LaneKeeper<?, ?> keeper) throws Exception {
        writeThenCut(() -> awaitAllButFive(keeper, 20));
        send(values("new-", 10, 25));
    }

    /** Offsets 0 to 19 are written and read; then those from 10 on are gone. */
    private void writeThenCut(Runnable read) throws Exception {
        send(values("old-", 0, 10));
        await().until(() -> committed() == 5);
        broker.close();
        Path log = broker.directory().resolve("kafka").resolve(topic + "-0");
        Path kept = folder.resolve(topic + "-kept");
        copy(log, kept);
        restart();
        send(values("old-", 10, 20));
        read.run();
        broker.close();
        delete(log);
        copy(kept, log);
        restart();
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        for (Path file : files(from)) {
            Files.copy(file, to.resolve(file.getFileName()));
        }
    }

    private static void delete(Path log) throws IOException {
        for (Path file : files(log)) {
            Files.delete(file);
        }
    }

    private static List<Path> files(Path log) throws IOException {
        try (Stream<Path> files = Files.list(log)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    // -- or don't

    /** A close ends in its time though neither a commit nor a farewell nor what is to be sent has anywhere to go. */
    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void aCloseWhileTheBrokerIsAwayEndsInTime(String protocol) throws Exception {
        createTopic();
        Set<String> ended = ConcurrentHashMap.newKeySet();
        LaneKeeper<String, String> keeper = builder("lonely")
                .consumerSettings(protocol(protocol))
                .results(result -> List.of(new ProducerRecord<>(topic + "-dead", new byte[] {1})))
                .handler(delivery -> {
                    puppet.blocking().handle(delivery);
                    ended.add(String.valueOf(delivery.value()));
                })
                .build();
        keeper.start();
        send(values("", 0, 3));
        puppet.run("0").finish();
        await().until(() -> committed() == 1);
        puppet.run("1");
        puppet.run("2");
        broker.close();
        try {
            puppet.run("1").finish(); // its result is not acknowledged any more; the other one goes on for ever
            await().until(() -> ended.contains("1"));
            keeper.close(Duration.ofSeconds(4)); // which waits for this, and two seconds more
            assertThat(keeper.terminated()).isCompleted();
            assertThat(keeper.view().state()).isEqualTo(EngineState.CLOSED);
            await().untilAsserted(
                            () -> assertThat(threadsOf("lonely")).isEmpty()); // the rest of the clients has ended too
        } finally {
            restart();
        }
        assertThat(committed()).isEqualTo(1);
    }

    /** Those that would keep a JVM from ending, and of the engine all. */
    private static List<String> threadsOf(String engine) {
        List<String> found = new ArrayList<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith(engine)) {
                found.add(thread.getName());
            }
        }
        return found.stream().sorted().collect(Collectors.toList());
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(40)).pollInterval(Duration.ofMillis(20));
    }
}
