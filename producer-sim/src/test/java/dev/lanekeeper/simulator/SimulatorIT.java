package dev.lanekeeper.simulator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.lanekeeper.app.cli.ExitCode;
import dev.lanekeeper.app.cli.Main;
import dev.lanekeeper.testkit.broker.KafkaFixture;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The {@code simulate} command from the outside, against a real broker. */
class SimulatorIT {
    @RegisterExtension
    static final KafkaFixture KAFKA = new KafkaFixture();

    @TempDir
    Path folder;

    private final JsonMapper json = JsonMapper.builder().build();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void whatItReportsIsWhatTheTopicHolds() throws Exception {
        String topic = KAFKA.uniqueName("customer-jobs");
        KAFKA.createTopic(topic, 6);
        Path file = folder.resolve("sent.json");
        assertThat(simulate(topic, "--jobs=5000", "--customers=40", "--poison-ratio=0.1", "--report=" + file))
                .as(err.toString())
                .isEqualTo(ExitCode.DONE);

        JsonNode summary = json.readTree(out.toString());
        assertThat(summary.get("total").asInt()).isEqualTo(5_000);
        assertThat(summary.get("topic").asText()).isEqualTo(topic);
        assertThat(summary.has("perCustomer")).isFalse();
        JsonNode report = json.readTree(Files.readString(file));
        List<ConsumerRecord<byte[], byte[]>> records = KAFKA.readAll(topic, 5_000, Duration.ofSeconds(30));
        assertThat(differences(report, records)).isEmpty();

        List<ConsumerRecord<byte[], byte[]>> oneLost = new ArrayList<>(records);
        ConsumerRecord<byte[], byte[]> lost = oneLost.remove(2_500);
        assertThat(differences(report, oneLost)).as("the measure sees a loss").containsExactly(key(lost));
    }

    @Test
    void theSameSeedFillsTwoTopicsAlike() throws Exception {
        List<Map<String, Long>> found = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            String topic = KAFKA.uniqueName("customer-jobs");
            KAFKA.createTopic(topic, 3);
            assertThat(simulate(topic, "--jobs=300", "--customers=7", "--poison-ratio=1", "--seed=9"))
                    .isEqualTo(ExitCode.DONE);
            Map<String, Long> counts = new HashMap<>();
            KAFKA.readAll(topic, 300, Duration.ofSeconds(30)).forEach(r -> counts.merge(key(r), 1L, Long::sum));
            found.add(counts);
        }
        assertThat(found.get(0)).isEqualTo(found.get(1)).hasSize(7);
    }

    @Test
    void aTopicThatIsNotThereIsSaidAtOnce() throws Exception {
        assertThat(simulate("no-such-topic")).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("topic no-such-topic not found").contains("topics create");
        assertThat(err.toString().lines()).hasSize(1);
    }

    @Test
    void wrongValuesAreNamed() throws Exception {
        assertUsage("--bulk-ratio is 0.1: bulk commands are not processed yet; allowed: 0", "--bulk-ratio=0.1");
        assertUsage("--poison-ratio is 2.0; allowed: 0 to 1", "--poison-ratio=2");
        assertUsage("--customers is 0; allowed: 1 to 10000000", "--customers=0");
        assertUsage("--rate is 0.0; allowed: above 0", "--rate=0");
        assertUsage("--report is /no/such/folder/f.json; allowed", "--report=/no/such/folder/f.json");
        assertUsage("'many' is not", "--jobs=many");
    }

    private void assertUsage(String message, String option) throws Exception {
        err.getBuffer().setLength(0);
        assertThat(simulate("unused", option)).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains(message);
        assertThat(err.toString().lines()).hasSize(1);
        assertThat(out.toString()).isEmpty();
    }

    private int simulate(String topic, String... options) throws Exception {
        Path config = folder.resolve("producer-sim.properties");
        Files.writeString(
                config,
                "kafka.bootstrap.servers=" + KAFKA.bootstrapServers() + "\nlanekeeper.topics=" + topic
                        + "\nlanekeeper.group.id=unused\n");
        List<String> arguments = new ArrayList<>(List.of("simulate", "--config", config.toString()));
        arguments.addAll(List.of(options));
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return line.execute(arguments.toArray(String[]::new));
    }

    /** The customers whose share of the report does not match the records, read in the order of their offsets. */
    private static List<String> differences(JsonNode report, List<ConsumerRecord<byte[], byte[]>> records) {
        Map<String, CRC32C> checksums = new HashMap<>();
        Map<String, Integer> counts = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> each : records) {
            checksums.computeIfAbsent(key(each), id -> new CRC32C()).update(each.value(), 0, each.value().length);
            counts.merge(key(each), 1, Integer::sum);
        }
        List<String> different = new ArrayList<>();
        report.get("perCustomer").properties().forEach(entry -> {
            CRC32C found = checksums.getOrDefault(entry.getKey(), new CRC32C());
            String expected = entry.getValue().get("crc32c").asText();
            if (found.getValue() != Long.parseLong(expected, 16)
                    || counts.getOrDefault(entry.getKey(), 0)
                            != entry.getValue().get("records").asInt()) {
                different.add(entry.getKey());
            }
        });
        return different;
    }

    private static String key(ConsumerRecord<byte[], byte[]> each) {
        return new String(each.key(), UTF_8);
    }
}
