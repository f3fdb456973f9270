package dev.lanekeeper.engine.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.engine.offset.AheadMap;
import dev.lanekeeper.engine.offset.AheadMapCodec;
import dev.lanekeeper.engine.offset.UnreadableMapException;
import dev.lanekeeper.testkit.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Peer faults PC#716, #832 and decaton#167: buffers have bounds, and a hot partition takes nothing that is kept for others. */
class ThrottleTest extends BufferScene {
    @Test
    void whatIsBufferedStaysBelowTheBoundPlusOnePoll() {
        Intake intake = intake(1_000, 1 << 30, 24_000);
        append(HOT, 10_000, "v");
        consumer.assign(HOT);
        passes(intake, 30);
        assertThat(parcels).hasSizeBetween(1_000, 1_000 + ONE_POLL);
        assertThat(consumer.paused()).containsExactly(HOT);

        int done = 0;
        while (done < 10_000) { // and it neither exceeds it later, nor stops
            completions.offer(parcels.get(done++));
            intake.runOnce();
            assertThat(parcels.size() - done).isLessThanOrEqualTo(1_000 + ONE_POLL);
        }
        assertThat(consumer.paused()).isEmpty();
        clock.advance(Duration.ofSeconds(1));
        intake.runOnce();
        assertThat(consumer.committedOffset(HOT)).isEqualTo(10_000);
    }

    /** A stopped partition is throttled for hours, perhaps: the processor must not be kept busy by that. */
    @Test
    void pollsGetLongerWhileNothingHappensAndShortAgainWhenSomethingEnds() {
        Intake intake = intake(1_000, 1 << 30, 24_000);
        append(HOT, 10_000, "v");
        consumer.assign(HOT);
        passes(intake, 5);
        assertThat(consumer.paused()).containsExactly(HOT);
        passes(intake, 10);
        assertThat(consumer.lastPoll()).isEqualTo(Duration.ofMillis(100));
        completions.offer(parcels.get(0));
        passes(intake, 2);
        assertThat(consumer.lastPoll()).isEqualTo(Duration.ofMillis(1));
        passes(intake, 1);
        assertThat(consumer.lastPoll()).isEqualTo(Duration.ofMillis(2));
    }

    /** PC f#119: what waits for retries has a budget of its own, with a bound in bytes. */
    @Test
    void whatIsSetAsideUsesUpNobodysBuffer() {
        Intake intake = intake(1_000, 6_000, 24_000);
        append(HOT, 1_500, "v");
        consumer.assign(HOT);
        passes(intake, 5);
        assertThat(consumer.paused()).containsExactly(HOT);
        Assignment hot = intake.assignments().get(0);
        for (int i = 0; i < 900; i++) {
            hot.setAside(parcels.get(i).sizeBytes());
        }
        passes(intake, 5);
        assertThat(consumer.paused()).isEmpty();
        assertThat(parcels).hasSize(1_500);
        for (int i = 900; i < 1_100; i++) {
            hot.setAside(parcels.get(i).sizeBytes());
        }
        append(HOT, 400, "v");
        passes(intake, 5);
        assertThat(consumer.paused()).isEmpty();
        for (int i = 1_100; i < 1_900; i++) {
            hot.setAside(parcels.get(i).sizeBytes() + 10);
        }
        append(HOT, 1, "v");
        passes(intake, 5);
        assertThat(consumer.paused()).containsExactly(HOT);
        for (int i = 1_100; i < 1_900; i++) {
            hot.takeBack(parcels.get(i).sizeBytes() + 10);
        }
        for (int i = 1_100; i < 1_900; i++) {
            completions.offer(parcels.get(i));
        }
        passes(intake, 5);
        assertThat(consumer.paused()).isEmpty();
    }

    @Test
    void onlyTheHotPartitionIsHeldAndLetGoAtHalfItsShare() {
        Intake intake = intake(1_000, 1 << 30, 24_000);
        append(HOT, 2_000, "v");
        append(COOL, 10, "v");
        consumer.assign(HOT, COOL);
        passes(intake, 5);
        assertThat(consumer.paused()).containsExactly(HOT);
        assertThat(intake.assignments())
                .filteredOn(Assignment::throttled)
                .extracting(Assignment::topicPartition)
                .containsExactly(HOT);
        long cool = parcels.stream()
                .filter(parcel -> parcel.assignment().topicPartition().equals(COOL))
                .count();
        assertThat(cool).isEqualTo(10);

        List<Parcel> hot = new ArrayList<>(parcels.stream()
                .filter(parcel -> parcel.assignment().topicPartition().equals(HOT))
                .toList());
        // it may have 62, and 16 parts in 17 of the 876 that nobody else wants: half of that is 443
        while (hot.size() > 444) {
            completions.offer(hot.remove(0));
        }
        intake.runOnce();
        assertThat(consumer.paused()).containsExactly(HOT);
        completions.offer(hot.remove(0));
        intake.runOnce();
        assertThat(consumer.paused()).isEmpty();
    }

    @Test
    void bytesCountAsWellAsRecords() {
        Intake intake = intake(1_000_000, 10_000, 24_000);
        append(HOT, 3_000, "x".repeat(100));
        consumer.assign(HOT);
        passes(intake, 5);
        assertThat(parcels).hasSize(ONE_POLL); // 50,000 bytes in the first poll
        assertThat(consumer.paused()).containsExactly(HOT);
        parcels.forEach(completions::offer);
        intake.runOnce();
        assertThat(consumer.paused()).isEmpty();
    }

    /** Edge case 4: larger than everything allowed; it comes alone and is not refused. */
    @Test
    void aRecordLargerThanTheBufferIsAdmitted() {
        Intake intake = intake(1_000, 10, 24_000);
        append(HOT, 1, "x".repeat(1_000));
        consumer.assign(HOT);
        intake.runOnce();
        assertThat(parcels).hasSize(1);
        completions.offer(parcels.get(0));
        intake.runOnce();
        assertThat(consumer.paused()).isEmpty();
    }

    /** Edge case 23: behind one record that never ends its partition goes on, however much ends behind it. */
    @Test
    void aStuckHeadDoesNotStopItsPartition() {
        Intake intake = intake(1_000_000, 1 << 30, 2_000);
        append(HOT, 10_000, "v");
        consumer.assign(HOT);
        int done = 1;
        for (int pass = 0; pass < 30; pass++) {
            intake.runOnce();
            while (done < parcels.size()) {
                completions.offer(parcels.get(done++));
            }
        }
        assertThat(done).isEqualTo(10_000);
        assertThat(consumer.paused()).isEmpty();
    }

    /** PC#832, edge case 36: what is not done lies scattered, and a commit has room for only so much of that. */
    @Test
    void recordsThatAreStuckHereAndThereStopTheirPartitionAtTheWindow() {
        Intake intake = intake(1_000_000, 1 << 30, 6_000);
        append(HOT, 20_000, "v");
        consumer.assign(HOT);
        int seen = 0;
        for (int pass = 0; pass < 30; pass++) {
            intake.runOnce();
            for (; seen < parcels.size(); seen++) {
                if (seen % 10 != 0) {
                    completions.offer(parcels.get(seen));
                }
            }
        }
        // each tenth is open and takes some 5 bits of the 4,500 that are three quarters of the window
        assertThat(parcels).hasSizeBetween(4_000, 9_000);
        assertThat(consumer.paused()).containsExactly(HOT);

        for (int i = 0; i < seen * 2 / 3; i += 10) {
            completions.offer(parcels.get(i));
        }
        passes(intake, 2);
        assertThat(parcels.size()).isGreaterThan(seen);
    }

    /** The bound of the window holds for records that ended in whatever order after they were admitted. */
    @Test
    void whatIsAdmittedFitsIntoTheMapWhateverEndsFirst() {
        Intake intake = intake(1_000_000, 1 << 30, 24_000);
        append(HOT, 40_000, "v");
        consumer.assign(HOT);
        passes(intake, 100);
        assertThat(consumer.paused()).containsExactly(HOT);
        Random random = new Random(Seed.value());
        List<Parcel> shuffled = new ArrayList<>(parcels);
        Collections.shuffle(shuffled, random);
        Assignment assignment = parcels.get(0).assignment();
        for (Parcel parcel : shuffled.subList(0, shuffled.size() - 1)) {
            assignment.complete(parcel);
            if (random.nextInt(100) == 0) {
                AheadMap all = assignment.tracker().doneAhead();
                assertThat(roundTrip(assignment, all)).isEqualTo(all.openCount());
            }
        }
    }

    /** How many open offsets are left of a map; fewer if something had to be forgotten, but for those at its end. */
    private static int roundTrip(Assignment assignment, AheadMap map) {
        String text = assignment.mapCodec().write(map, null, AheadMapCodec.MAX_CHARACTERS);
        try {
            AheadMap read = assignment.mapCodec().note(text, map.base()).map();
            int trailing = (int) (map.end() - (read == null ? map.base() : read.end()));
            return trailing + (read == null ? 0 : read.openCount());
        } catch (UnreadableMapException e) {
            throw new AssertionError(e);
        }
    }

    /** Peer fault smallrye/spring-kafka "pause flag stuck through a rebalance": a partition that returns is not held. */
    @Test
    void aPartitionThatReturnsIsNotHeldByItsPast() {
        Intake intake = intake(1_000, 1 << 30, 24_000);
        append(HOT, 1_200, "v");
        consumer.assign(HOT);
        passes(intake, 5);
        assertThat(consumer.paused()).containsExactly(HOT);
        consumer.revokeAndReturn(HOT);
        intake.runOnce();
        assertThat(consumer.paused()).isEmpty();
        passes(intake, 5);
        assertThat(consumer.paused()).containsExactly(HOT);
    }

    /**
     * Closing while throttled: a partition that gets room while the engine drains must stay closed, or records that
     * nobody will handle are fetched, and the commit goes past them.
     */
    @Test
    void drainingDoesNotFetchNorCommitWhatItWillNotHandle() {
        Intake intake = intake(10, 1 << 30, 24_000);
        append(HOT, 10, "v");
        consumer.assign(HOT);
        intake.runOnce();
        append(HOT, 5_000, "v");
        assertThat(consumer.paused()).containsExactly(HOT);
        parcels.forEach(parcel -> parcel.running = true);
        endOneInEachPoll(0);
        assertThat(intake.drainAndClose(Duration.ofMinutes(1))).isZero();
        assertThat(parcels).hasSize(10);
        assertThat(counters.polledTotal()).isEqualTo(10);
        assertThat(consumer.committedOffset(HOT)).isEqualTo(10);
    }

    @Test
    void limitsThatMakeNoSenseAreRefusedWithNameAndValue() {
        Duration second = Duration.ofSeconds(1);
        assertThatThrownBy(() -> new IntakeSettings(0, 1, 1, second, second))
                .hasMessage("bufferRecords must be positive: 0");
        assertThatThrownBy(() -> new IntakeSettings(1, -1, 1, second, second))
                .hasMessage("bufferBytes must be positive: -1");
        assertThatThrownBy(() -> new IntakeSettings(1, 1, 0, second, second)).hasMessage("window must be positive: 0");
        assertThatThrownBy(() -> new IntakeSettings(1, 1, 1, Duration.ZERO, second))
                .hasMessageContaining("commitInterval must be positive");
        assertThatThrownBy(() -> new IntakeSettings(1, 1, 1, second, second.negated()))
                .hasMessage("drainTimeout must not be negative: PT-1S");
    }

    private void endOneInEachPoll(int next) {
        if (next < 10) {
            consumer.inPoll(() -> {
                parcels.get(next).running = false;
                completions.offer(parcels.get(next));
                endOneInEachPoll(next + 1);
            });
        }
    }
}
