package dev.lanekeeper.testkit.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedKafkaIT {
    private static final String TOPIC = "letters";

    @TempDir
    Path folder;

    @Test
    void servesProducersAndConsumersAndLeavesNothingBehind() throws IOException {
        Set<Thread> before = nonDaemonThreads();
        EmbeddedKafka kafka = EmbeddedKafka.start();
        try (kafka;
                KafkaSession session = session(kafka)) {
            assertThat(kafka.bootstrapServers()).isEqualTo("127.0.0.1:" + kafka.port());
            session.createTopic(TOPIC, 3, Map.of());
            session.produce(records(1_000));
            assertThat(values(session)).hasSize(1_000).contains("0", "999");
        }
        awaitNoThreadBeside(before);
        assertThat(kafka.directory()).doesNotExist();
    }

    @Test
    void listensOnLoopbackOnly() throws IOException {
        try (EmbeddedKafka kafka = EmbeddedKafka.start();
                ServerSocket elsewhere = new ServerSocket()) {
            // the same port of another loopback address is free only if the broker did not take them all
            elsewhere.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 2}), kafka.port()));
            assertThat(elsewhere.isBound()).isTrue();
        }
    }

    @Test
    void anOpenedAgainFolderHasItsDataOnAnotherPort() throws IOException {
        // a broker that did not sign off counts as alive for so long, and its successor has to wait
        BrokerSettings settings = BrokerSettings.DEFAULTS.keptIn(folder).with("broker.session.timeout.ms", "60000");
        try (EmbeddedKafka first = EmbeddedKafka.start(settings);
                KafkaSession session = session(first)) {
            session.createTopic(TOPIC, 3, Map.of());
            session.produce(records(100));
        }
        long begin = System.nanoTime();
        try (EmbeddedKafka second = EmbeddedKafka.start(settings);
                KafkaSession session = session(second)) {
            assertThat(values(session)).hasSize(100);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(30));
        assertThat(folder).isNotEmptyDirectory();
    }

    @Test
    void aTakenPortIsNamedAndNothingIsStarted() throws IOException {
        Set<Thread> before = nonDaemonThreads();
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            BrokerSettings settings =
                    BrokerSettings.DEFAULTS.onPort(taken.getLocalPort()).keptIn(folder);
            assertThatThrownBy(() -> EmbeddedKafka.start(settings))
                    .isInstanceOf(BindException.class)
                    .hasMessageContaining("port " + taken.getLocalPort() + " on 127.0.0.1 is taken");
        }
        assertThat(nonDaemonThreads()).isSubsetOf(before);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aFixedPortIsFreeAgainAfterClose() throws IOException {
        int port;
        try (EmbeddedKafka first = EmbeddedKafka.start()) {
            port = first.port();
        }
        try (EmbeddedKafka second = EmbeddedKafka.start(BrokerSettings.DEFAULTS.onPort(port));
                Socket client = new Socket(InetAddress.getLoopbackAddress(), second.port())) {
            assertThat(second.port()).isEqualTo(port);
            assertThat(client.isConnected()).isTrue();
        }
    }

    @Test
    void aFolderInUseIsRefusedAndTheFirstBrokerGoesOn() throws IOException {
        BrokerSettings settings = BrokerSettings.DEFAULTS.keptIn(folder);
        try (EmbeddedKafka first = EmbeddedKafka.start(settings);
                KafkaSession session = session(first)) {
            assertThatThrownBy(() -> EmbeddedKafka.start(settings))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("folder " + folder + " is in use");
            session.createTopic(TOPIC, 1, Map.of());
        }
    }

    @Test
    void aBrokerThatFailsHalfwayLeavesNoThread() throws IOException {
        Set<Thread> before = nonDaemonThreads();
        Files.createDirectories(folder.resolve("kafka").resolve("holiday pictures"));
        assertThatThrownBy(() -> EmbeddedKafka.start(BrokerSettings.DEFAULTS.keptIn(folder)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("holiday pictures");
        awaitNoThreadBeside(before);
    }

    @Test
    void aBadSettingIsRefusedWithItsName() {
        BrokerSettings settings = BrokerSettings.DEFAULTS.with("num.io.threads", "many");
        assertThatThrownBy(() -> EmbeddedKafka.start(settings))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("num.io.threads")
                .hasMessageContaining("many");
    }

    @Test
    void aLostFolderFailsTheBrokerButNotTheJvm() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(BrokerSettings.DEFAULTS.keptIn(folder))) {
            try (KafkaSession session = session(kafka)) {
                session.createTopic(TOPIC, 1, Map.of("segment.bytes", "1048576"));
            }
            DataFolder.delete(folder.resolve("kafka"));
            assertThat(folder.resolve("kafka")).doesNotExist();
            try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                    Map.of("bootstrap.servers", kafka.bootstrapServers()),
                    new ByteArraySerializer(),
                    new ByteArraySerializer())) {
                // the second needs a new segment file, which has nowhere to go
                List<Future<RecordMetadata>> sent = IntStream.range(0, 2)
                        .mapToObj(i -> producer.send(new ProducerRecord<>(TOPIC, new byte[900_000])))
                        .toList();
                assertThat(kafka.failure().get(20, TimeUnit.SECONDS)).hasMessageContaining("halt");
                assertThat(sent.get(1)).isNotDone();
                producer.close(Duration.ZERO);
            }
        }
    }

    private static KafkaSession session(EmbeddedKafka kafka) {
        return new KafkaSession(new TestBroker.Outside(kafka.bootstrapServers()));
    }

    private static List<ProducerRecord<byte[], byte[]>> records(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Integer.toString(i).getBytes(UTF_8))
                .map(bytes -> new ProducerRecord<>(TOPIC, bytes, bytes))
                .toList();
    }

    private static List<String> values(KafkaSession session) {
        try (TopicReader reader =
                new TopicReader(session.clientSettings(), session.partitions(TOPIC), IsolationLevel.READ_COMMITTED)) {
            return reader.untilEnd(Duration.ofSeconds(20)).stream()
                    .map(ConsumerRecord::value)
                    .map(bytes -> new String(bytes, UTF_8))
                    .toList();
        }
    }

    /** A pool's last thread may still be on its way out when the broker has closed. */
    private static void awaitNoThreadBeside(Set<Thread> before) {
        await().pollInSameThread()
                .atMost(Duration.ofSeconds(2))
                .untilAsserted(() -> assertThat(nonDaemonThreads()).isSubsetOf(before));
    }

    private static Set<Thread> nonDaemonThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.isDaemon())
                .collect(Collectors.toCollection(HashSet::new));
    }
}
