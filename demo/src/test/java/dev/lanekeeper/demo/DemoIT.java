package dev.lanekeeper.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.app.cli.ExitCode;
import dev.lanekeeper.app.cli.Main;
import dev.lanekeeper.demo.report.DemoReport;
import dev.lanekeeper.simulator.workload.WorkloadSettings;
import dev.lanekeeper.testkit.broker.EmbeddedKafka;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

@Timeout(180)
class DemoIT {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void aStrangerSeesThatEverythingWentWell() {
        assertThat(demo("--jobs=2000", "--customers=50", "--no-console"))
                .as(() -> out + "\n" + err)
                .isEqualTo(ExitCode.DONE);
        assertThat(out.toString())
                .contains("2,000 jobs of 50 customers, one processor, seed 42")
                .containsPattern("completed +2,000\n")
                .containsPattern("redelivered +0\n")
                .contains("Audit: clean")
                .contains("Every job is accounted for:\n  2,000 completed + 0 dead-lettered = 2,000 sent.");
        assertThat(out.toString()).as("readable anywhere").matches("[\\n\\x20-\\x7e]*");
        assertThat(out.toString().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(80));
        assertThat(out.toString()).doesNotContain("X");
    }

    @Test
    void poisonOfThreeInstancesEndsInDeadLettersThatSayWhy() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
            ConcurrentLinkedQueue<String> said = new ConcurrentLinkedQueue<>();
            DemoReport report = new Demo(kafka, new WorkloadSettings(4_000, 100, 0.5, 0.05, 7), 3, said::add).run();
            assertThat(report.verdict()).as(report.text()).isEqualTo(DemoReport.Verdict.GOOD);
            assertThat(report.text()).contains("3 processors").containsPattern("\\d+ no job at all, \\d+ refused");

            List<ConsumerRecord<byte[], byte[]>> letters = readAll(kafka, "dead-letters");
            assertThat(letters).hasSizeBetween(130, 270);
            Set<String> stages = new HashSet<>();
            letters.forEach(letter -> stages.add(checkHeaders(letter)));
            assertThat(stages).containsExactlyInAnyOrder("decode", "handler");
        }
    }

    /** Against the contract; returns the stage. */
    private static String checkHeaders(ConsumerRecord<byte[], byte[]> letter) {
        String stage = header(letter, "lanekeeper.error.stage");
        assertThat(header(letter, "lanekeeper.error.class")).contains(".");
        assertThat(header(letter, "lanekeeper.error.message")).isNotBlank();
        assertThat(Integer.parseInt(header(letter, "lanekeeper.attempts"))).isEqualTo(stage.equals("decode") ? 0 : 1);
        assertThat(header(letter, "lanekeeper.origin.topic")).isEqualTo("customer-jobs");
        assertThat(Integer.parseInt(header(letter, "lanekeeper.origin.partition")))
                .isBetween(0, 11);
        assertThat(Long.parseLong(header(letter, "lanekeeper.origin.offset"))).isBetween(0L, 3_999L);
        assertThat(Long.parseLong(header(letter, "lanekeeper.origin.timestamp")))
                .isPositive();
        assertThat(Instant.parse(header(letter, "lanekeeper.failed-at"))).isBeforeOrEqualTo(Instant.now());
        assertThat(new String(letter.key(), UTF_8)).matches("c-\\d{6}");
        return stage;
    }

    private static String header(ConsumerRecord<byte[], byte[]> letter, String name) {
        Header header = letter.headers().lastHeader(name);
        assertThat(header).as(name).isNotNull();
        return new String(header.value(), UTF_8);
    }

    @Test
    void wrongUsageStartsNothing() {
        assertUsage("--bulk-ratio is 0.2: bulk commands are not processed yet; allowed: 0", "--bulk-ratio=0.2");
        assertUsage("--instances is 13; allowed: 1 to 12", "--instances=13");
        assertUsage("--jobs is 0; allowed: 1 or more", "--jobs=0");
        assertUsage("port must be from 0 (any free one) to 65535: 70000", "--port=70000");
        assertUsage("--poison-ratio is -0.1; allowed: 0 to 1", "--poison-ratio=-0.1");
    }

    private void assertUsage(String message, String option) {
        err.getBuffer().setLength(0);
        assertThat(demo(option)).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains(message);
        assertThat(err.toString().lines()).hasSize(1);
        assertThat(out.toString()).isEmpty();
    }

    private int demo(String... options) {
        List<String> arguments = new ArrayList<>(List.of("demo"));
        arguments.addAll(List.of(options));
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return line.execute(arguments.toArray(String[]::new));
    }

    private static List<ConsumerRecord<byte[], byte[]>> readAll(EmbeddedKafka kafka, String topic) {
        List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "enable.auto.commit", "false"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = new ArrayList<>();
            for (PartitionInfo info : consumer.partitionsFor(topic)) {
                partitions.add(new TopicPartition(info.topic(), info.partition()));
            }
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (!ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue())) {
                consumer.poll(Duration.ofMillis(100)).forEach(found::add);
            }
        }
        return found;
    }
}
