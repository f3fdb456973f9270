package dev.lanekeeper.engine.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.testkit.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ten partitions share the buffers: a hot one uses what others don't, a quiet one finds its part when it wakes up. */
@ExtendWith(Seed.class)
class FairnessTest extends BufferScene {
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
        assertThat(unfinished(intake, COOL)).isBetween(2_000, 5_500);
        assertThat(unfinished(intake, HOT)).isBetween(2_000, 5_500);
    }

    /**
     * A partition that is not held has borrowed, and all its customers fail: nothing comes of it and nothing ends. What waits
     * for retries uses up nobody's buffer, so others have what it had.
     */
    @Test
    void whatIsSetAsideInAPartitionThatIsNotHeldIsFreeForOthers() {
        Intake intake = intake(10_000, 1 << 30, 60_000);
        append(HOT, 8_000, "v");
        consumer.assign(tenPartitions());
        passes(intake, 60);
        assertThat(consumer.paused()).isEmpty();
        assertThat(parcels).hasSize(8_000);
        parcels.forEach(parcel -> parcel.assignment().setAside(parcel.sizeBytes()));

        append(
                COOL, 960,
                "v"); // more than 16 parts in 17 of the 875 that are left above its floor, but not all of them
        passes(intake, 5);
        append(COOL, 5_000, "v");
        passes(intake, 60);
        assertThat(unfinished(intake, COOL)).isEqualTo(5_960);
        assertThat(consumer.paused()).isEmpty();
    }

    /** Nothing that was counted is left of partitions that went, came back, or went back in their logs. */
    @RepeatedTest(5)
    void whoeverComesLaterFindsTheBuffersAsIfNobodyHadBeenThere(Random random) {
        Intake intake = intake(10_000, 1 << 30, 60_000);
        TopicPartition[] ten = tenPartitions();
        Set<TopicPartition> mine = new HashSet<>();
        int seen = 0;
        for (int step = 0; step < 300; step++) {
            TopicPartition any = ten[random.nextInt(ten.length)];
            append(any, random.nextInt(1_000), "v");
            switch (random.nextInt(12)) {
                case 0 -> {
                    if (mine.add(any)) {
                        consumer.assign(any);
                    }
                }
                case 1 -> {
                    if (mine.remove(any)) {
                        consumer.lose(any);
                    }
                }
                case 2 -> {
                    if (mine.remove(any)) {
                        consumer.revoke(any);
                    }
                }
                case 3 -> {
                    if (mine.contains(any)) {
                        consumer.goTo(any, 0);
                    }
                }
                case 4 -> {
                    if (mine.contains(any)) {
                        consumer.revokeAndReturn(any);
                    }
                }
                case 5 -> intake.hold(random.nextBoolean());
                default -> {}
            }
            intake.runOnce();
            for (; seen < parcels.size(); seen++) {
                if (random.nextInt(3) == 0) {
                    completions.offer(parcels.get(seen));
                }
            }
            Set<TopicPartition> paused = consumer.paused();
            assertThat(mine).containsAll(paused);
            assertThat(intake.assignments())
                    .filteredOn(Assignment::throttled)
                    .allMatch(each -> paused.contains(each.topicPartition()));
        }
        intake.hold(false);
        mine.forEach(consumer::lose);
        intake.runOnce();
        parcels.clear();
        TopicPartition fresh = new TopicPartition("jobs", 10);
        append(fresh, 20_000, "v");
        consumer.assign(fresh, new TopicPartition("jobs", 11));
        passes(intake, 60);
        assertThat(parcels).hasSizeBetween(8_700, 8_700 + 2 * ONE_POLL);
    }

    /** There is nobody to leave something for. */
    @Test
    void whoeverIsAloneHasAllOfTheBuffer() {
        Intake intake = intake(10_000, 1 << 30, 60_000);
        append(HOT, 9_900, "v");
        consumer.assign(HOT);
        passes(intake, 30);
        assertThat(parcels).hasSize(9_900);
        assertThat(consumer.paused()).isEmpty();
        append(HOT, 100, "v");
        passes(intake, 2);
        assertThat(consumer.paused()).containsExactly(HOT);
    }

    /** A partition that goes back begins anew, and what it had counts no more: the next finds the buffers empty. */
    @Test
    void aPartitionThatGoesBackGivesBackWhatItHad() {
        Intake intake = intake(10_000, 1 << 30, 60_000);
        append(HOT, 8_000, "v");
        consumer.assign(tenPartitions());
        passes(intake, 60);
        for (int i = 0; i < 5; i++) {
            consumer.goTo(HOT, 7_900);
            passes(intake, 2);
            completions.offer(parcels.get(parcels.size() - 1));
        }
        int before = parcels.size();
        append(COOL, 20_000, "v");
        passes(intake, 60);
        assertThat(parcels.size() - before).isBetween(8_000, 9_000);
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
                            .as("%s has borrowed and is not throttled, though nothing is left", each)
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
}
