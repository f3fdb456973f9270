package dev.lanekeeper.simulator.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.message.InvalidMessageException;
import dev.lanekeeper.message.Job;
import dev.lanekeeper.message.MessageCodec;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkloadTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");
    private final MessageCodec codec = new MessageCodec();

    @Test
    void oneSeedIsOneWorkload() {
        WorkloadSettings settings = new WorkloadSettings(3_000, 50, 0.8, 0.05, 42);
        Workload workload = workload(settings);
        assertThat(texts(workload)).isEqualTo(texts(workload)).isEqualTo(texts(workload(settings)));
        assertThat(texts(workload)).isNotEqualTo(texts(workload(new WorkloadSettings(3_000, 50, 0.8, 0.05, 43))));
    }

    /** Fails where another Java version draws other numbers, or when somebody changes what a seed means. */
    @Test
    void theSameOnEveryJava() {
        CRC32C checksum = new CRC32C();
        for (SimulatedRecord each : workload(new WorkloadSettings(10_000, 500, 1.1, 0.02, 42))) {
            checksum.update(each.key());
            checksum.update(each.value());
        }
        assertThat(Long.toHexString(checksum.getValue())).isEqualTo("4b9f91ef");
    }

    @Test
    void everyCustomersJobsAreNumberedWithoutGap() {
        assertThat(firstGap(records(new WorkloadSettings(20_000, 300, 1, 0.1, 5))))
                .isEmpty();
    }

    @Test
    void theMeasureSeesASwapAndAGap() {
        List<SimulatedRecord> records = records(new WorkloadSettings(20_000, 300, 0, 0, 5));
        String customer = records.get(100).customerId();
        int later = 101;
        while (!records.get(later).customerId().equals(customer)) {
            later++;
        }
        List<SimulatedRecord> swapped = new ArrayList<>(records);
        Collections.swap(swapped, 100, later);
        assertThat(firstGap(swapped)).startsWith(customer);
        List<SimulatedRecord> lost = new ArrayList<>(records);
        lost.remove(100);
        assertThat(firstGap(lost)).startsWith(customer);
    }

    @Test
    void customersAreInterleaved() {
        List<SimulatedRecord> records = records(new WorkloadSettings(10_000, 100, 0, 0, 5));
        int neighboursOfOneCustomer = 0;
        for (int i = 1; i < records.size(); i++) {
            if (records.get(i).customerId().equals(records.get(i - 1).customerId())) {
                neighboursOfOneCustomer++;
            }
        }
        assertThat(neighboursOfOneCustomer).isBetween(50, 160);
    }

    @ParameterizedTest
    @CsvSource({"0", "0.7", "1.2"})
    void jobsFallOnCustomersAsTheSkewSays(double skew) {
        int customers = 200;
        long[] counts = new long[customers];
        for (SimulatedRecord each : workload(new WorkloadSettings(100_000, customers, skew, 0, 42))) {
            counts[Integer.parseInt(each.customerId().substring(2)) - 1]++;
        }
        assertThat(GoodnessOfFit.fits(counts, GoodnessOfFit.zipf(customers, skew)))
                .isTrue();
        assertThat(GoodnessOfFit.fits(counts, GoodnessOfFit.zipf(customers, skew + 0.1)))
                .as("the measure tells another skew apart")
                .isFalse();
    }

    @Test
    void poisonIsTheShareAskedForInHalves() {
        Map<SimulatedRecord.Nature, Integer> natures = new HashMap<>();
        for (SimulatedRecord each : workload(new WorkloadSettings(100_000, 100, 0, 0.1, 42))) {
            natures.merge(each.nature(), 1, Integer::sum);
        }
        assertThat(natures.get(SimulatedRecord.Nature.REFUSED)).isBetween(4_700, 5_300);
        assertThat(natures.get(SimulatedRecord.Nature.UNDECODABLE)).isBetween(4_700, 5_300);
    }

    @Test
    void allOrNothingCanBePoison() {
        assertThat(records(new WorkloadSettings(1_000, 10, 0, 0, 1)))
                .allMatch(r -> r.nature() == SimulatedRecord.Nature.JOB);
        assertThat(records(new WorkloadSettings(1_000, 10, 0, 1, 1)))
                .noneMatch(r -> r.nature() == SimulatedRecord.Nature.JOB);
    }

    @Test
    void poisonIsSpreadOverAllCustomers() {
        Set<String> struck = new HashSet<>();
        for (SimulatedRecord each : workload(new WorkloadSettings(20_000, 20, 0, 0.1, 42))) {
            if (each.nature() != SimulatedRecord.Nature.JOB) {
                struck.add(each.customerId());
            }
        }
        assertThat(struck).hasSize(20);
    }

    @Test
    void recordsAreWhatTheyClaimToBe() {
        Set<String> undecodable = new HashSet<>();
        for (SimulatedRecord each : workload(new WorkloadSettings(5_000, 10, 0, 0.2, 42))) {
            switch (each.nature()) {
                case JOB -> {
                    Job job = codec.job(each.value());
                    assertThat(job.customerId()).isEqualTo(each.customerId());
                    assertThat(job.kind()).isNotEqualTo(Workload.POISON_KIND);
                    assertThat(job.submittedAt()).isEqualTo(NOW);
                }
                case REFUSED -> assertThat(codec.job(each.value()).kind()).isEqualTo(Workload.POISON_KIND);
                case UNDECODABLE -> {
                    assertThatThrownBy(() -> codec.job(each.value())).isInstanceOf(InvalidMessageException.class);
                    undecodable.add(text(each).substring(0, 1));
                }
            }
        }
        assertThat(undecodable).as("JSON and no JSON").containsExactlyInAnyOrder("{", "n");
    }

    @Test
    void idsAreUnique() {
        Set<String> ids = new HashSet<>();
        for (SimulatedRecord each : workload(new WorkloadSettings(5_000, 10, 0, 0, 42))) {
            assertThat(ids.add(codec.job(each.value()).id())).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 1, 0, 0, jobs is -1; allowed: 0 or more",
        "1, 0, 0, 0, customers is 0; allowed: 1 to 10000000",
        "1, 1, -0.5, 0, skew is -0.5; allowed: 0 to 10.0",
        "1, 1, NaN, 0, skew is NaN; allowed: 0 to 10.0",
        "1, 1, 0, 1.5, poison-ratio is 1.5; allowed: 0 to 1",
    })
    void wrongSettingsAreNamed(long jobs, int customers, double skew, double poisonRatio, String message) {
        assertThatThrownBy(() -> new WorkloadSettings(jobs, customers, skew, poisonRatio, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    /** The first customer whose numbers are not 1, 2, 3, …, and where; empty if there is none. */
    private String firstGap(List<SimulatedRecord> records) {
        Map<String, Integer> last = new HashMap<>();
        for (SimulatedRecord each : records) {
            if (each.nature() == SimulatedRecord.Nature.UNDECODABLE) {
                continue;
            }
            int n = codec.job(each.value()).payload().get("n").asInt();
            int expected = last.merge(each.customerId(), 1, Integer::sum);
            if (n != expected) {
                return each.customerId() + " has " + n + " for " + expected;
            }
        }
        return "";
    }

    private static Workload workload(WorkloadSettings settings) {
        return new Workload(settings, InstantSource.fixed(NOW));
    }

    private static List<SimulatedRecord> records(WorkloadSettings settings) {
        List<SimulatedRecord> records = new ArrayList<>();
        workload(settings).forEach(records::add);
        return records;
    }

    private static List<String> texts(Workload workload) {
        List<String> texts = new ArrayList<>();
        workload.forEach(each -> texts.add(each.customerId() + text(each)));
        return texts;
    }

    private static String text(SimulatedRecord each) {
        return new String(each.value(), StandardCharsets.UTF_8);
    }
}
