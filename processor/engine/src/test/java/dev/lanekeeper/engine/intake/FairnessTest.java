package dev.lanekeeper.engine.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.testkit.ManualClock;
import dev.lanekeeper.testkit.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ten partitions share the buffers: a hot one uses what others don't, a quiet one finds its part when it wakes up. */
@ExtendWith(Seed.class)
class FairnessTest {
    private static final TopicPartition HOT = new TopicPartition("jobs", 0);
    private static final TopicPartition COOL = new TopicPartition("jobs", 1);
    private static final int ONE_POLL = 500;

    private final ScriptedConsumer consumer = new ScriptedConsumer(false);
    private final Completions completions = new Completions();
    private final ManualClock clock = new ManualClock();
    private final List<Parcel> parcels = new ArrayList<>();

    /** Where ten partitions share, the only one with work has nearly everything, in records as in bytes. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aHotPartitionUsesWhatTheOthersDoNot(boolean inBytes) {
        Intake intake = inBytes ? intake(1_000_000, 10_000, 60_000) : intake(10_000, 1 << 30, 60_000);
        append(HOT, 20_000, "v");
        consumer.assign(tenPartitions());
        passes(intake, 60);
        assertThat(unfinished(intake, HOT)).isBetween(8_000, 9_000);
        assertThat(consumer.paused()).containsExactly(HOT);
    }

    /** Three take all there is to borrow and never end; the fourth has what is kept for it, at once and ever again. */
    @Test
    void aPartitionThatWakesUpHasItsFloorAndNeverStarves() {
        Intake intake = intake(10_000, 1 << 30, 60_000);
        TopicPartition[] ten = tenPartitions();
        for (int i = 2; i < 5; i++) {
            append(ten[i], 20_000, "v");
        }
        consumer.assign(ten);
        passes(intake, 100);
        assertThat(consumer.paused()).containsExactlyInAnyOrder(ten[2], ten[3], ten[4]);
        assertThat(parcels).hasSizeBetween(8_000, 10_000 + ONE_POLL);
        int stuck = parcels.size();

        append(COOL, 5_000, "v");
        intake.runOnce();
        assertThat(parcels).as("at once").hasSizeGreaterThanOrEqualTo(stuck + 10_000 / 8 / 10);
        for (int next = stuck; next < stuck + 5_000; next++) {
            while (next == parcels.size()) {
                intake.runOnce();
                assertThat(consumer.paused())
                        .as("let go when it has little left")
                        .doesNotContain(COOL);
            }
            completions.offer(parcels.get(next));
            intake.runOnce();
            assertThat(parcels).hasSizeLessThanOrEqualTo(next + 1 + 10_000 / 8 + 2 * ONE_POLL);
        }
        assertThat(unfinished(intake, COOL)).isZero();
    }

    /** Whoever has borrowed gives back for the others: two hot ones have about as much as each other in the end. */
    @Test
    void aSecondHotPartitionComesToHaveAsMuchAsTheFirst() {
        Intake intake = intake(10_000, 1 << 30, 60_000);
        append(HOT, 60_000, "v");
        consumer.assign(tenPartitions());
        passes(intake, 60);
        append(COOL, 60_000, "v");
        for (int next = 0; next < 50_000; next++) {
            completions.offer(parcels.get(next));
            intake.runOnce();
        }
        assertThat(unfinished(intake, COOL)).isGreaterThan(1_000);
        assertThat(unfinished(intake, HOT)).isGreaterThan(1_000);
    }

    /** Whatever comes and ends when: what is buffered has a bound, nobody starves, and everything is done in the end. */
    @RepeatedTest(5)
    void buffersAreSharedWhateverComesAndEnds(Random random) {
        int bound = 8_000 * (1 + random.nextInt(4));
        Intake intake = intake(bound, 1 << 30, 60_000);
        TopicPartition[] ten = tenPartitions();
        int floor = bound / 8 / ten.length;
        consumer.assign(ten);
        List<Parcel> open = new ArrayList<>();
        int seen = 0;
        for (int step = 0; step < 2_000; step++) {
            if (step < 1_500 && random.nextInt(4) == 0) {
                append(ten[random.nextInt(1 + random.nextInt(ten.length))], random.nextInt(3_000), "v");
            }
            int ends = step < 1_500 ? random.nextInt(600) : ONE_POLL;
            for (; ends > 0 && !open.isEmpty(); ends--) {
                Collections.swap(open, random.nextInt(open.size()), open.size() - 1);
                completions.offer(open.remove(open.size() - 1));
            }
            intake.runOnce();
            open.addAll(parcels.subList(seen, parcels.size()));
            seen = parcels.size();
            assertThat(open.size()).isLessThanOrEqualTo(bound + ten.length * ONE_POLL);
            for (TopicPartition each : ten) {
                int unfinished = unfinished(intake, each);
                boolean paused = consumer.paused().contains(each);
                if (open.size() >= bound) {
                    assertThat(paused || unfinished <= floor)
                            .as("%s has borrowed and is not held, though nothing is left", each)
                            .isTrue();
                }
                assertThat(paused && unfinished <= floor / 2)
                        .as("%s starves", each)
                        .isFalse();
            }
        }
        for (int i = 0; i < 10_000 && !(open.isEmpty() && consumer.paused().isEmpty()); i++) {
            open.forEach(completions::offer);
            intake.runOnce();
            open = new ArrayList<>(parcels.subList(seen, parcels.size()));
            seen = parcels.size();
        }
        assertThat(open).isEmpty();
        clock.advance(Duration.ofSeconds(1));
        intake.runOnce();
        assertThat(intake.assignments()).allMatch(each -> each.incomplete() == 0 && !each.throttled());
    }

    private static TopicPartition[] tenPartitions() {
        TopicPartition[] ten = new TopicPartition[10];
        Arrays.setAll(ten, i -> new TopicPartition("jobs", i));
        return ten;
    }

    private static int unfinished(Intake intake, TopicPartition partition) {
        return intake.assignments().stream()
                .filter(each -> each.topicPartition().equals(partition))
                .mapToInt(each -> each.tracker().incomplete())
                .sum();
    }

    private Intake intake(int records, long bytes, int window) {
        Intake intake = new Intake(
                consumer,
                (record, assignment, sequence) -> {
                    parcels.add(new Parcel(record, assignment, sequence));
                    return parcels.get(parcels.size() - 1);
                },
                completions,
                new IntakeSettings(records, bytes, window, Duration.ofSeconds(1), Duration.ZERO),
                new IntakeCounters(),
                clock.nanos(),
                null);
        consumer.subscribe(List.of("jobs"), intake.rebalanceListener());
        return intake;
    }

    private void append(TopicPartition partition, int records, String value) {
        for (int i = 0; i < records; i++) {
            consumer.append(partition, "k" + i, value);
        }
    }

    private static void passes(Intake intake, int count) {
        for (int i = 0; i < count; i++) {
            intake.runOnce();
        }
    }
}
