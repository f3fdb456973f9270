package dev.lanekeeper.engine.result;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.testkit.ManualClock;
import java.io.Serial;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DeadLettersTest {
    private final DeadLetters letters =
            new DeadLetters("dead", new ManualClock(Instant.parse("2026-01-02T03:04:05.678Z")));

    @Test
    void aLetterIsTheRecordWithEveryHeaderOfTheContract() {
        ProducerRecord<byte[], byte[]> letter =
                letters.letter(origin("c-1", "value"), "handler", new IllegalStateException("no funds"), 3);

        assertThat(letter.topic()).isEqualTo("dead");
        assertThat(letter.partition()).isNull();
        assertThat(letter.key()).isEqualTo("c-1".getBytes(UTF_8));
        assertThat(letter.value()).isEqualTo("value".getBytes(UTF_8));
        Map<String, String> expected = new LinkedHashMap<>();
        expected.put("traceparent", "00-abc");
        expected.put("lanekeeper.error.class", "java.lang.IllegalStateException");
        expected.put("lanekeeper.error.message", "no funds");
        expected.put("lanekeeper.error.stage", "handler");
        expected.put("lanekeeper.attempts", "3");
        expected.put("lanekeeper.origin.topic", "jobs");
        expected.put("lanekeeper.origin.partition", "4");
        expected.put("lanekeeper.origin.offset", "812");
        expected.put("lanekeeper.origin.timestamp", "1700000000000");
        expected.put("lanekeeper.failed-at", "2026-01-02T03:04:05.678Z");
        assertThat(headers(letter)).isEqualTo(expected);
    }

    /** A letter that was replayed and fails again says so once, not twice. */
    @Test
    void headersOfAnEarlierLifeAreReplaced() {
        ConsumerRecord<byte[], byte[]> replayed = origin("c-1", "value");
        replayed.headers().add("lanekeeper.attempts", "9".getBytes(UTF_8));
        replayed.headers().add("lanekeeper.error.message", "old".getBytes(UTF_8));
        ProducerRecord<byte[], byte[]> letter = letters.letter(replayed, "decode", new Exception("new"), 0);
        assertThat(headers(letter)).containsEntry("lanekeeper.attempts", "0");
        assertThat(headers(letter)).containsEntry("lanekeeper.error.message", "new");
    }

    @Test
    void theRecordItselfIsNotChanged() {
        ConsumerRecord<byte[], byte[]> origin = origin("c-1", "value");
        ProducerRecord<byte[], byte[]> letter = letters.letter(origin, "handler", new Exception("x"), 1);
        assertThat(letter).isNotNull();
        assertThat(origin.headers().toArray()).hasSize(1);
    }

    @Test
    void nullKeyAndValueStayNull() {
        ProducerRecord<byte[], byte[]> letter =
                letters.letter(origin(null, null), "decode", new NullPointerException(), 0);
        assertThat(letter.key()).isNull();
        assertThat(letter.value()).isNull();
        assertThat(headers(letter)).containsEntry("lanekeeper.error.message", "");
    }

    @Test
    void aLongMessageIsCut() {
        String message = "x".repeat(100_000);
        ProducerRecord<byte[], byte[]> letter = letters.letter(origin("k", "v"), "handler", new Exception(message), 1);
        assertThat(headers(letter).get("lanekeeper.error.message"))
                .hasSize(1_001)
                .endsWith("x…");
    }

    /** User code that breaks while it is asked what went wrong must not keep the letter from being written. */
    @Test
    void anExceptionThatCannotSayWhatHappenedStillMakesALetter() {
        ProducerRecord<byte[], byte[]> letter = letters.letter(origin("k", "v"), "handler", new Speechless(), 1);
        assertThat(headers(letter)).containsEntry("lanekeeper.error.class", Speechless.class.getName());
        assertThat(headers(letter).get("lanekeeper.error.message")).contains("StackOverflowError");
    }

    /** Edge case 5: what the broker finds too large. */
    @Test
    void theTruncatedFormHasTheStartOfTheValueItsSizeAndItsDigest() {
        byte[] value = new byte[5_000];
        Arrays.fill(value, (byte) 'a');
        ProducerRecord<byte[], byte[]> letter =
                letters.letter(origin("c-1", new String(value, UTF_8)), "handler", new Exception("big"), 1);
        ProducerRecord<byte[], byte[]> shortened = letters.truncated(letter);
        assertThat(shortened.topic()).isEqualTo("dead");
        assertThat(shortened.key()).isEqualTo(letter.key());
        assertThat(shortened.value()).isEqualTo(Arrays.copyOf(value, 1_024));
        assertThat(headers(shortened)).containsAllEntriesOf(headers(letter)).hasSize(12);
        assertThat(headers(shortened)).containsEntry("lanekeeper.truncated.from-bytes", "5000");
        assertThat(headers(shortened).get("lanekeeper.truncated.sha256")).matches("[0-9a-f]{64}");
    }

    /** A key or headers that fill the record leave no room for the letter's own headers: they must be cut too. */
    @Test
    void theTruncatedFormIsSmallWhateverWasLarge() {
        RecordHeaders headers = new RecordHeaders();
        headers.add("small", "kept".getBytes(UTF_8));
        headers.add("large", new byte[500_000]);
        for (int i = 0; i < 10_000; i++) {
            headers.add("many" + i, new byte[10]);
        }
        ProducerRecord<byte[], byte[]> letter =
                new ProducerRecord<>("dead", null, new byte[500_000], "v".getBytes(UTF_8), headers);
        ProducerRecord<byte[], byte[]> shortened = letters.truncated(letter);
        int size = shortened.key().length + shortened.value().length;
        for (Header header : shortened.headers()) {
            size += header.key().length() + header.value().length;
        }
        assertThat(size).isLessThan(20_000);
        assertThat(headers(shortened))
                .containsEntry("small", "kept")
                .containsEntry("lanekeeper.truncated.key.from-bytes", "500000")
                .containsKey("lanekeeper.truncated.key.sha256")
                .containsKey("lanekeeper.truncated.headers");
    }

    @Test
    void theDigestIsThatOfTheWholeValue() {
        ProducerRecord<byte[], byte[]> abc = letters.truncated(new ProducerRecord<>("dead", "abc".getBytes(UTF_8)));
        assertThat(headers(abc))
                .containsEntry(
                        "lanekeeper.truncated.sha256",
                        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    private static ConsumerRecord<byte[], byte[]> origin(@Nullable String key, @Nullable String value) {
        return new ConsumerRecord<>(
                "jobs",
                4,
                812,
                1_700_000_000_000L,
                TimestampType.CREATE_TIME,
                3,
                5,
                key == null ? null : key.getBytes(UTF_8),
                value == null ? null : value.getBytes(UTF_8),
                new RecordHeaders().add("traceparent", "00-abc".getBytes(UTF_8)),
                Optional.empty());
    }

    /** In order, and a failure if a name comes twice. */
    private static Map<String, String> headers(ProducerRecord<byte[], byte[]> record) {
        Map<String, String> found = new LinkedHashMap<>();
        for (Header header : record.headers()) {
            assertThat(found.put(header.key(), new String(header.value(), UTF_8)))
                    .isNull();
        }
        return found;
    }

    private static final class Speechless extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new StackOverflowError("planned");
        }
    }
}
