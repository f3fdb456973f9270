package dev.lanekeeper.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.testkit.broker.KafkaFixture;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Offsets that no record has: PC#35, PC#329, spring-kafka#4258, edge case 39. */
@Timeout(120)
class TransactionalTopicIT {
    @RegisterExtension
    static final KafkaFixture KAFKA = new KafkaFixture();

    private final List<String> handled = Collections.synchronizedList(new ArrayList<>());

    @Test
    void markersAndAbortedRecordsNeitherHoldTheFrontierNorAreHandled() {
        try (Traffic traffic = new Traffic(KAFKA, new Random(1), 1);
                KafkaProducer<byte[], byte[]> producer = transactional();
                LaneKeeper<String, String> keeper = traffic.builder("one")
                        .consumerSettings(Map.of("isolation.level", "read_committed"))
                        .handler(delivery -> handled.add(String.valueOf(delivery.value())))
                        .build()) {
            transaction(producer, traffic.topic, "aborted first", false);
            for (int i = 0; i < 20; i++) {
                transaction(producer, traffic.topic, "kept " + i, true);
                transaction(producer, traffic.topic, "aborted " + i, false);
            }
            keeper.start();
            traffic.awaitNoLag();
            assertThat(handled)
                    .containsExactlyElementsOf(
                            IntStream.range(0, 20).mapToObj(i -> "kept " + i).toList());

            // and those that come when everything before is committed
            transaction(producer, traffic.topic, "aborted last", false);
            transaction(producer, traffic.topic, "aborted at the very last", false);
            traffic.awaitNoLag();
            assertThat(handled).hasSize(20);
        }
    }

    /** With a record that still runs at the front, markers pile up behind it and are passed when it ends. */
    @Test
    void markersBehindARecordThatRunsArePassedWhenItEnds() {
        Puppet puppet = new Puppet();
        try (Traffic traffic = new Traffic(KAFKA, new Random(1), 1);
                KafkaProducer<byte[], byte[]> producer = transactional();
                LaneKeeper<String, String> keeper = traffic.builder("one")
                        .consumerSettings(Map.of("isolation.level", "read_committed"))
                        .asyncHandler(puppet.async())
                        .build()) {
            transaction(producer, traffic.topic, "first", true);
            for (int i = 0; i < 10; i++) {
                transaction(producer, traffic.topic, "aborted", false);
            }
            keeper.start();
            Puppet.Run first = puppet.run("first");
            Awaitility.await()
                    .until(() -> KAFKA.committedOffsets(traffic.group).values().stream()
                            .allMatch(offset -> offset.offset() == 0));
            first.finish();
            traffic.awaitNoLag();
        }
    }

    /** Edge case 40: what an open transaction holds back is late, not lost, and shows as lag. */
    @Test
    void recordsBehindAnOpenTransactionComeWhenItEnds() {
        try (Traffic traffic = new Traffic(KAFKA, new Random(1), 1);
                KafkaProducer<byte[], byte[]> producer = transactional();
                LaneKeeper<String, String> keeper = traffic.builder("one")
                        .consumerSettings(Map.of("isolation.level", "read_committed"))
                        .handler(delivery -> handled.add(String.valueOf(delivery.value())))
                        .build()) {
            send(traffic.topic, "before");
            producer.beginTransaction();
            Future<RecordMetadata> open =
                    producer.send(new ProducerRecord<>(traffic.topic, "k".getBytes(UTF_8), "open".getBytes(UTF_8)));
            producer.flush();
            assertThat(open).isDone();
            send(traffic.topic, "behind");
            keeper.start();
            Awaitility.await().until(() -> KAFKA.lag(traffic.group, traffic.topic) == 2);
            assertThat(handled).containsExactly("before");
            producer.commitTransaction();
            traffic.awaitNoLag();
            assertThat(handled).containsExactly("before", "open", "behind");
        }
    }

    private static void send(String topic, String value) {
        KAFKA.produce(List.of(new ProducerRecord<>(topic, "k".getBytes(UTF_8), value.getBytes(UTF_8))));
    }

    private static void transaction(
            KafkaProducer<byte[], byte[]> producer, String topic, String value, boolean commit) {
        producer.beginTransaction();
        Future<RecordMetadata> sent =
                producer.send(new ProducerRecord<>(topic, "k".getBytes(UTF_8), value.getBytes(UTF_8)));
        producer.flush(); // what was never sent needs no abort
        assertThat(sent).isDone();
        if (commit) {
            producer.commitTransaction();
        } else {
            producer.abortTransaction();
        }
    }

    private static KafkaProducer<byte[], byte[]> transactional() {
        Map<String, Object> settings = KAFKA.clientSettings();
        settings.put("transactional.id", KAFKA.uniqueName("tx"));
        KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        producer.initTransactions();
        return producer;
    }
}
