package dev.lanekeeper.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.handler.RetryPolicy;
import dev.lanekeeper.testkit.broker.KafkaFixture;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Records that fail for good, on a broker: set aside whole, with the reason, while everything else flows. */
@Timeout(120)
class DeadLetterIT {
    private static final Deserializer<String> STRICT = (topic, data) -> {
        String text = new String(data, UTF_8);
        if (text.startsWith("{")) {
            throw new SerializationException("not plain text: " + text);
        }
        return text;
    };

    @RegisterExtension
    static final KafkaFixture KAFKA = new KafkaFixture();

    private final List<String> handled = Collections.synchronizedList(new ArrayList<>());

    @Test
    void eachFailureIsSetAsideWithItsReasonAndTheCustomersOthersFlowInOrder() {
        try (Traffic traffic = new Traffic(KAFKA, new Random(1), 3);
                LaneKeeper<String, String> keeper = traffic.builder("one")
                        .deserializers(new StringDeserializer(), STRICT)
                        .retry(new RetryPolicy(2, Duration.ofMillis(1), Duration.ofMillis(1), 0))
                        .handler(delivery -> {
                            handled.add(String.valueOf(delivery.value()));
                            switch (String.valueOf(delivery.value())) {
                                case "fails" -> throw new IOException("planned");
                                case "overflows" ->
                                    delivery.emit(new ProducerRecord<>(traffic.deadLetters, new byte[2 << 20]));
                                default -> {}
                            }
                        })
                        .build()) {
            send(traffic.topic, "c", "first", "{", "second", "fails", "third", "overflows", "last");
            send(traffic.topic, null, "no key");
            keeper.start();
            traffic.awaitNoLag();
            Map<String, Map<String, String>> letters = letters(traffic.deadLetters);
            assertThat(letters.keySet()).containsExactlyInAnyOrder("{", "fails", "overflows", "no key");
            assertThat(letters.get("{"))
                    .containsEntry("lanekeeper.error.stage", "decode")
                    .containsEntry("lanekeeper.origin.topic", traffic.topic)
                    .containsEntry("trace", "t-1");
            assertThat(letters.get("fails"))
                    .containsEntry("lanekeeper.error.stage", "handler")
                    .containsEntry("lanekeeper.attempts", "2");
            assertThat(letters.get("overflows"))
                    .containsEntry("lanekeeper.error.stage", "publish")
                    .containsEntry("lanekeeper.error.class", "org.apache.kafka.common.errors.RecordTooLargeException");
            assertThat(handled).containsExactly("first", "second", "fails", "fails", "third", "overflows", "last");
            assertThat(keeper.view().dead()).isEqualTo(4);
        }
    }

    /** Edge case 5, with the broker as the one who refuses. */
    @Test
    void aLetterThatTheTopicIsTooSmallForIsShortened() {
        String small = KAFKA.uniqueName("small");
        KAFKA.createTopic(small, 1, Map.of("max.message.bytes", "10000"));
        try (Traffic traffic = new Traffic(KAFKA, new Random(1), 1);
                LaneKeeper<String, String> keeper = traffic.builder("one")
                        .deadLetters(small)
                        .deserializers(new StringDeserializer(), STRICT)
                        .handler(delivery -> {})
                        .build()) {
            send(traffic.topic, "c", "{" + "x".repeat(50_000), "fine");
            keeper.start();
            traffic.awaitNoLag();
            List<ConsumerRecord<byte[], byte[]>> letters = KAFKA.readToEnd(small, IsolationLevel.READ_COMMITTED);
            assertThat(letters).hasSize(1);
            assertThat(letters.get(0).value()).hasSize(1_024);
            assertThat(headers(letters.get(0))).containsEntry("lanekeeper.truncated.from-bytes", "50001");
        }
    }

    private static void send(String topic, @Nullable String key, String... values) {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (String value : values) {
            ProducerRecord<byte[], byte[]> record =
                    new ProducerRecord<>(topic, key == null ? null : key.getBytes(UTF_8), value.getBytes(UTF_8));
            record.headers().add("trace", "t-1".getBytes(UTF_8));
            records.add(record);
        }
        KAFKA.produce(topic, records);
    }

    /** By the values of the letters. */
    private static Map<String, Map<String, String>> letters(String topic) {
        Map<String, Map<String, String>> found = new LinkedHashMap<>();
        for (ConsumerRecord<byte[], byte[]> letter : KAFKA.readToEnd(topic, IsolationLevel.READ_COMMITTED)) {
            found.put(new String(letter.value(), UTF_8), headers(letter));
        }
        return found;
    }

    private static Map<String, String> headers(ConsumerRecord<byte[], byte[]> record) {
        Map<String, String> headers = new LinkedHashMap<>();
        record.headers().forEach(header -> headers.put(header.key(), new String(header.value(), UTF_8)));
        return headers;
    }
}
