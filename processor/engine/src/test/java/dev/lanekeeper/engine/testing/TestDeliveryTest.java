package dev.lanekeeper.engine.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.engine.handler.FencingToken;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;

/** What a test says of a delivery is what its handler sees, and what the handler did is what the test sees. */
class TestDeliveryTest {
    private static final ProducerRecord<byte[], byte[]> OUTPUT = new ProducerRecord<>("out", new byte[] {1});

    @Test
    void theHandlerSeesWhatTheTestSays() {
        TestDelivery<String, Integer> delivery = TestDelivery.of("c-1", 42)
                .at("payments", 3, 17)
                .withHeader("traceparent", "00-1")
                .withHeader("traceparent", "00-2")
                .withAttempt(2)
                .withIncarnation(5);
        assertThat(delivery.key()).isEqualTo("c-1");
        assertThat(delivery.value()).isEqualTo(42);
        assertThat(delivery.record().key()).isEqualTo("c-1".getBytes(UTF_8));
        assertThat(delivery.record().value()).isEqualTo("42".getBytes(UTF_8));
        assertThat(delivery.header("traceparent")).isEqualTo("00-2");
        assertThat(delivery.header("absent")).isNull();
        assertThat(delivery.attempt()).isEqualTo(2);
        assertThat(delivery.token()).isEqualTo(new FencingToken(5, "payments", 3, 17));
        assertThat(delivery).hasToString("attempt 2 of payments-3@17");
    }

    @Test
    void aSuccessorSharesNothingThatChanges() {
        TestDelivery<String, String> first = TestDelivery.of("c-1", "v");
        first.emit(OUTPUT);
        first.cancel();
        TestDelivery<String, String> second = first.withAttempt(2).withHeader("h", "v");
        assertThat(second.outputs()).isEmpty();
        assertThat(second.cancelled()).isFalse();
        assertThat(first.header("h")).isNull();
    }

    @Test
    void aRecordIsDecodedAsAnEngineDoes() {
        ConsumerRecord<byte[], byte[]> record =
                new ConsumerRecord<>("jobs", 1, 9, "c".getBytes(UTF_8), new byte[] {0, 0, 0, 0, 0, 0, 1, 0});
        TestDelivery<String, Long> delivery = TestDelivery.of(record, new StringDeserializer(), new LongDeserializer());
        assertThat(delivery.key()).isEqualTo("c");
        assertThat(delivery.value()).isEqualTo(256L);
        ConsumerRecord<byte[], byte[]> tombstone = new ConsumerRecord<>("jobs", 1, 9, null, null);
        assertThat(TestDelivery.of(tombstone, new StringDeserializer(), new LongDeserializer())
                        .value())
                .isNull();
    }

    @Test
    void whatIsEmittedIsKeptUntilTheEnd() {
        TestDelivery<String, String> delivery = TestDelivery.of("c-1", "v");
        delivery.emit(OUTPUT);
        delivery.end();
        assertThat(delivery.outputs()).containsExactly(OUTPUT);
        assertThatThrownBy(() -> delivery.emit(OUTPUT))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("attempt 1 of test-0@0");
    }

    @Test
    void cancellationRunsEachActionOnceAndNoneAfterTheEnd() {
        List<String> ran = new ArrayList<>();
        TestDelivery<String, String> delivery = TestDelivery.of("c-1", "v");
        delivery.onCancel(() -> ran.add("before"));
        assertThat(ran).isEmpty();
        delivery.cancel();
        delivery.cancel();
        delivery.onCancel(() -> ran.add("after"));
        assertThat(ran).containsExactly("before", "after");
        assertThat(delivery.cancelled()).isTrue();

        TestDelivery<String, String> ended = TestDelivery.of("c-1", "v");
        ended.onCancel(() -> ran.add("too late"));
        ended.end();
        ended.cancel();
        assertThat(ran).containsExactly("before", "after");
    }

    @Test
    void numbersThatCannotBeAreRefused() {
        TestDelivery<String, String> delivery = TestDelivery.of("c-1", "v");
        assertThatThrownBy(() -> delivery.withAttempt(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the attempt must be at least 1: 0");
        assertThatThrownBy(() -> delivery.withIncarnation(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the incarnation must not be negative: -1");
    }
}
