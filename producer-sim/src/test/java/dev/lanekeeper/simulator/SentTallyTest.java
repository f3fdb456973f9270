package dev.lanekeeper.simulator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.simulator.workload.SimulatedRecord;
import dev.lanekeeper.simulator.workload.Workload;
import dev.lanekeeper.simulator.workload.WorkloadSettings;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class SentTallyTest {
    private final List<SimulatedRecord> records = new ArrayList<>();

    SentTallyTest() {
        InstantSource clock = InstantSource.fixed(Instant.parse("2026-01-02T03:04:05.678Z"));
        new Workload(new WorkloadSettings(2_000, 20, 0.5, 0.1, 7), clock).forEach(records::add);
    }

    @Test
    void countsEveryRecordOnce() {
        SentTally tally = tally(records);
        assertThat(tally.total()).isEqualTo(2_000);
        assertThat(tally.perCustomer().values().stream()
                        .mapToLong(CustomerShare::records)
                        .sum())
                .isEqualTo(2_000);
        assertThat(tally.refused() + tally.undecodable())
                .isEqualTo(records.stream()
                        .filter(r -> r.nature() != SimulatedRecord.Nature.JOB)
                        .count());
    }

    @Test
    void theChecksumIsTheOneDocumented() {
        Map<String, StringBuilder> values = new HashMap<>();
        records.forEach(r -> values.computeIfAbsent(r.customerId(), id -> new StringBuilder())
                .append(new String(r.value(), UTF_8)));
        tally(records).perCustomer().forEach((id, share) -> {
            CRC32C expected = new CRC32C();
            expected.update(String.valueOf(values.get(id)).getBytes(UTF_8));
            assertThat(Long.parseLong(share.crc32c(), 16)).as(id).isEqualTo(expected.getValue());
            assertThat(share.crc32c()).hasSize(8);
        });
    }

    @Test
    void twoRecordsOfACustomerSwappedShow() {
        List<Integer> ofOne = positionsOf(records.get(0).customerId());
        List<SimulatedRecord> swapped = new ArrayList<>(records);
        Collections.swap(swapped, ofOne.get(3), ofOne.get(4));
        assertThat(tally(swapped).perCustomer()).isNotEqualTo(tally(records).perCustomer());
    }

    @Test
    void aRecordLostAndAnotherRepeatedShow() {
        List<Integer> ofOne = positionsOf(records.get(0).customerId());
        List<SimulatedRecord> altered = new ArrayList<>(records);
        altered.set(ofOne.get(3), records.get(ofOne.get(4)));
        assertThat(tally(altered).perCustomer()).isNotEqualTo(tally(records).perCustomer());
    }

    @Test
    void recordsOfDifferentCustomersMaySwap() {
        int second = 1;
        while (records.get(second).customerId().equals(records.get(0).customerId())) {
            second++;
        }
        List<SimulatedRecord> swapped = new ArrayList<>(records);
        Collections.rotate(swapped.subList(0, second + 1), 1);
        assertThat(tally(swapped).perCustomer()).isEqualTo(tally(records).perCustomer());
    }

    private List<Integer> positionsOf(String customerId) {
        List<Integer> positions = new ArrayList<>();
        for (int i = 0; i < records.size(); i++) {
            if (records.get(i).customerId().equals(customerId)) {
                positions.add(i);
            }
        }
        return positions;
    }

    private static SentTally tally(List<SimulatedRecord> records) {
        SentTally tally = new SentTally();
        records.forEach(tally::add);
        return tally;
    }
}
