package dev.lanekeeper.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageCodecTest {
    private static final String JOB =
            "{\"type\":\"job\",\"id\":\"j-1\",\"customerId\":\"c-000123\",\"kind\":\"deposit\","
                    + "\"submittedAt\":\"2026-01-02T03:04:05.678Z\",\"seq\":17,\"payload\":{\"amount\":10.50}}";
    private static final String BULK =
            "{\"type\":\"bulk\",\"id\":\"b-1\",\"customerIds\":[\"c-2\",\"c-1\"],\"kind\":\"transfer\","
                    + "\"submittedAt\":\"2026-01-02T03:04:05.678901234Z\",\"payload\":{}}";
    private static final String OUTCOME =
            "{\"type\":\"outcome\",\"jobId\":\"j-1\",\"customerId\":\"c-1\",\"seq\":17,\"status\":\"done\","
                    + "\"attempt\":1,\"instance\":\"i-1\",\"epoch\":4,\"topic\":\"customer-jobs\",\"partition\":3,"
                    + "\"offset\":812,\"startedAt\":\"2026-01-02T03:04:05.678Z\",\"endedAt\":\"2026-01-02T03:04:06Z\","
                    + "\"bulk\":false,\"result\":{\"balance\":1}}";
    private static final List<String> VALID = List.of(JOB, BULK, OUTCOME);

    private final MessageCodec codec = new MessageCodec();

    @Test
    void writesExactlyWhatItRead() {
        for (String json : VALID) {
            assertThat(text(codec.encode(codec.message(bytes(json))))).isEqualTo(json);
        }
        assertThat(codec.job(bytes(JOB)).seq()).isEqualTo(17);
        assertThat(codec.bulkCommand(bytes(BULK)).customerIds()).containsExactly("c-2", "c-1");
        assertThat(codec.outcome(bytes(OUTCOME)).status()).isEqualTo(Outcome.Status.DONE);
    }

    @Test
    void keepsUnknownFieldsAndTheirNumbers() {
        String json = JOB.replace(
                "\"payload\"",
                "\"payload\":{},\"future\":[1.10,123456789012345678901234567890,1e-400],\"no\":null,\"x\"");
        Job job = codec.job(bytes(json));
        assertThat(job.unknown()).containsOnlyKeys("future", "no", "x");
        String written = text(codec.encode(job));
        assertThat(written).contains("\"future\":[1.10,123456789012345678901234567890,1E-400],\"no\":null");
        assertThat(codec.job(bytes(written))).isEqualTo(job);
    }

    @Test
    void leavesAbsentFieldsOut() {
        Outcome poison = new Outcome(
                null,
                null,
                null,
                Outcome.Status.FAILED,
                0,
                "i",
                -1,
                "t",
                0,
                0,
                Instant.EPOCH,
                Instant.EPOCH,
                false,
                null,
                Map.of());
        String json = text(codec.encode(poison));
        assertThat(json).doesNotContain("null", "jobId", "customerId", "seq", "result");
        assertThat(codec.outcome(bytes(json))).isEqualTo(poison);
        assertThat(codec.job(bytes(JOB.replace("\"seq\":17", "\"seq\":null"))).seq())
                .isNull();
    }

    @Test
    void carriesTextOfAnyKind() {
        String odd = JOB.replace("j-1", "\\ud83d\\ude00 \\ud800 é 😀 \\u0000").replace("c-000123", "客户");
        Job job = codec.job(bytes(odd));
        assertThat(job.id()).isEqualTo("😀 \ud800 é 😀 \0");
        assertThat(codec.job(codec.encode(job))).isEqualTo(job);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"customerId\":\"c-000123\",|``|customerId is missing",
                "\"c-000123\"|\" \"|customerId must be a string that is not blank: \" \"",
                "\"c-000123\"|17|customerId must be a string that is not blank: 17",
                "\"c-000123\"|null|customerId is missing",
                "\"j-1\"|\"\"|id must be",
                "\"job\"|\"bulk\"|type must be \"job\": \"bulk\"",
                "\"type\":\"job\",|``|type is missing",
                "17|\"17\"|seq must be a whole number of 64 bits: \"17\"",
                "17|17.0|seq must be a whole number of 64 bits: 17.0",
                "17|1e999999999|seq must be a whole number of 64 bits: 1E+999999999",
                "17|9223372036854775808|seq must be a whole number of 64 bits",
                "17|0|seq must be at least 1: 0",
                "2026-01-02T03:04:05.678Z|yesterday|submittedAt must be an ISO-8601 instant",
                "{\"amount\":10.50}|[]|payload must be a JSON object: []",
                "\"seq\":17|\"seq\":17,\"seq\":18|Duplicate",
                "10.50}}|10.50}} x|a message must be one JSON object",
                "10.50}}|10.50}}{}|a message must be one JSON object",
                "10.50}}|10.50}|a message must be one JSON object",
                "10.50|NaN|a message must be one JSON object",
            })
    void namesFieldValueAndWhatIsAllowed(String from, String to, String said) {
        assertThat(JOB).contains(from);
        assertThatThrownBy(() -> codec.job(bytes(JOB.replace(from, to))))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining(said);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "null", "17", "\"job\"", "[]", "{}", "{\"type\":\"x\"}", "{\"type\":[]}", "\0"})
    void refusesWhatIsNoMessage(String json) {
        assertThatThrownBy(() -> codec.message(bytes(json))).isInstanceOf(InvalidMessageException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"done\"|\"DONE\"|status must be \"done\", \"failed\" or \"skipped\": \"DONE\"",
                "\"partition\":3|\"partition\":3000000000|partition must be a whole number of 32 bits: 3000000000",
                "\"partition\":3|\"partition\":-1|partition must be at least 0: -1",
                "\"bulk\":false|\"bulk\":0|bulk must be true or false: 0",
                "\"attempt\":1|\"attempt\":-1|attempt must be at least 0: -1",
            })
    void namesWhatIsWrongInAnOutcome(String from, String to, String said) {
        assertThatThrownBy(() -> codec.outcome(bytes(OUTCOME.replace(from, to))))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessage(said);
    }

    @Test
    void shortensLongValuesAndSurvivesDeepOnes() {
        String deep = "[".repeat(200_000);
        assertThatThrownBy(() -> codec.job(bytes(JOB.replace("{\"amount\":10.50}", deep))))
                .isInstanceOf(InvalidMessageException.class);
        String digits = "9".repeat(5_000);
        assertThatThrownBy(() -> codec.job(bytes(JOB.replace("17", digits))))
                .isInstanceOf(InvalidMessageException.class);
        assertThatThrownBy(() -> codec.job(bytes(JOB.replace("\"deposit\"", "[\"" + "x".repeat(9_000) + "\"]"))))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("kind must be")
                .satisfies(e -> assertThat(e.toString().length()).isLessThan(250));
        assertThatThrownBy(() -> codec.bulkCommand(bytes(BULK.replace("\"c-1\"", "\"\""))))
                .hasMessage("customerIds must be a string that is not blank: \"\"");
        assertThatThrownBy(() -> codec.bulkCommand(bytes(BULK.replace("\"c-2\",\"c-1\"", ""))))
                .hasMessage("customerIds must be a list of at least one customer id: []");
    }

    @Test
    void knowsOneExceptionOnlyWhateverTheBytes() {
        long seed = Long.getLong("lanekeeper.seed", 20260102L);
        Random random = new Random(seed);
        int refused = 0;
        int accepted = 0;
        for (int round = 0; round < 60_000; round++) {
            byte[] mutant = mutate(bytes(VALID.get(random.nextInt(VALID.size()))), random);
            try {
                Message message = codec.message(mutant);
                assertThat(codec.message(codec.encode(message))).isEqualTo(message);
                accepted++;
            } catch (InvalidMessageException expected) {
                refused++;
            } catch (RuntimeException | StackOverflowError other) {
                throw new AssertionError("seed " + seed + ", round " + round + ": " + text(mutant), other);
            }
        }
        assertThat(refused).as("seed %d", seed).isGreaterThan(1_000);
        assertThat(accepted).as("seed %d", seed).isGreaterThan(1_000);
    }

    private static byte[] mutate(byte[] valid, Random random) {
        byte[] bytes = valid.clone();
        for (int n = 1 + random.nextInt(2); n > 0 && bytes.length > 1; n--) {
            int at = random.nextInt(bytes.length);
            bytes = switch (random.nextInt(6)) {
                case 0 -> spliced(bytes, at, at + 1, new byte[] {(byte) random.nextInt(256)});
                case 1 -> spliced(bytes, at, bytes.length, new byte[0]);
                case 2 -> spliced(bytes, at, Math.min(bytes.length, at + random.nextInt(20)), new byte[0]);
                case 3 -> spliced(bytes, at, at, bytes(PIECES.get(random.nextInt(PIECES.size()))));
                case 4 -> spliced(bytes, at, at + 1, bytes(PIECES.get(random.nextInt(PIECES.size()))));
                default ->
                    spliced(bytes, at, at, new byte[] {
                        "0123456789eE.-+".getBytes(StandardCharsets.US_ASCII)[random.nextInt(15)]
                    });
            };
        }
        return bytes;
    }

    private static final List<String> PIECES = List.of(
            "\"",
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "null",
            "true",
            "-0",
            "1e400",
            "1e-2147483649",
            "9".repeat(1_200),
            "{\"a\":".repeat(1_500),
            "\\ud800",
            "\\u0000",
            "😀",
            "\ufeff",
            "\"seq\":1,",
            "+999999999-01-01T00:00:00Z",
            " ");

    private static byte[] spliced(byte[] bytes, int from, int to, byte[] middle) {
        byte[] result = new byte[from + middle.length + bytes.length - to];
        System.arraycopy(bytes, 0, result, 0, from);
        System.arraycopy(middle, 0, result, from, middle.length);
        System.arraycopy(bytes, to, result, from + middle.length, bytes.length - to);
        return result;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
