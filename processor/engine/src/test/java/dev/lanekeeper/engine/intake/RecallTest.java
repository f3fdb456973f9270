package dev.lanekeeper.engine.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The next owner of a partition passes over what was done ahead, and nothing else. */
class RecallTest extends MapScene {
    static final List<RuntimeException> NO_ANSWER =
            List.of(new TimeoutException("the coordinator is away"), new WakeupException());

    /** After a crash: one record stuck, others done behind it, and some of those not reported yet. */
    @Test
    void theNextOwnerPassesOverWhatWasDoneAndNoMore() {
        receive(10);
        finish(1, 2, 5, 8);
        passAndCommit();
        finish(6); // ends too late to be committed
        intake.runOnce();
        consumer.lose(P0);
        comeAgain();
        assertThat(parcels).extracting(Parcel::offset).containsExactly(0L, 3L, 4L, 6L, 7L, 9L);
        assertThat(counters.doneBeforeTotal()).isEqualTo(4);
        finish(0, 1, 2, 3, 4, 5);
        passAndCommit();
        assertThat(consumer.committedOffset(P0)).isEqualTo(10);
        assertThat(counters.completedTotal()).isEqualTo(5 + 6);
    }

    /** A commit that comes before all was delivered again tells what is known of the rest too. */
    @Test
    void nothingIsForgottenThatHasNotComeAgainYet() {
        receive(2_000);
        for (int i = 1; i < 2_000; i++) {
            if (i != 1_900) {
                finish(i);
            }
        }
        passAndCommit();
        consumer.lose(P0);
        intake.runOnce();
        parcels.clear();
        consumer.assign(P0);
        intake.runOnce(); // 500 come in a poll
        assertThat(parcels).extracting(Parcel::offset).containsExactly(0L);
        finish(0);
        passAndCommit();
        assertThat(consumer.committedOffset(P0)).isBetween(500L, 1_000L);
        consumer.lose(P0);
        comeAgain();
        assertThat(parcels).extracting(Parcel::offset).containsExactly(1_900L);
        finish(0);
        passAndCommit();
        assertThat(consumer.committedOffset(P0)).isEqualTo(2_000);
    }

    /** PC#326, f#207, edge case 37: of Kafka Streams, of MirrorMaker, of anybody. Begins at 5, not at 6. */
    @ParameterizedTest
    @ValueSource(strings = {"garbage", "AgAAAXzS5iYAAA==", "\u0001", "\u0002", "TEsBAg", "  ", "{\"a\":1}"})
    void metadataOfOthersIsIgnored(String metadata) {
        append(10);
        begin(new OffsetAndMetadata(5, metadata));
        assertThat(parcels).extracting(Parcel::offset).containsExactly(5L, 6L, 7L, 8L, 9L);
        finish(0);
        passAndCommit();
        assertThat(consumer.committedOffset(P0)).isEqualTo(6);
    }

    /** MirrorMaker 2 translates offsets and copies metadata; an operator may reset one and not the other. */
    @Test
    void aMapThatWasMovedIsIgnored() {
        append(10);
        begin(new OffsetAndMetadata(4, mapOf("jobs", 0, 3, 10, 3)));
        assertThat(parcels).extracting(Parcel::offset).containsExactly(4L, 5L, 6L, 7L, 8L, 9L);
    }

    @Test
    void aMapOfAnotherPartitionIsIgnored() {
        append(10);
        begin(new OffsetAndMetadata(3, mapOf("jobs", 1, 3, 10, 3)));
        assertThat(parcels).hasSize(7);
    }

    /** A topic made anew under its old name, as far as it can be seen: the map knows more than there is. */
    @Test
    void aMapBeyondTheEndOfTheLogIsIgnored() {
        append(10);
        begin(new OffsetAndMetadata(3, mapOf("jobs", 0, 3, 12, 3)));
        assertThat(parcels).hasSize(7);
    }

    /** The same with a log that ends where the map does. */
    @Test
    void aMapUpToTheEndOfTheLogIsBelieved() {
        append(10);
        begin(new OffsetAndMetadata(3, mapOf("jobs", 0, 3, 10, 3)));
        assertThat(parcels).extracting(Parcel::offset).containsExactly(3L);
    }

    /** Edge case 41: the log was cut inside the map and written anew. What is there now was done by nobody. */
    @Test
    void recordsOfALaterLeaderEpochEndTheMap() {
        receive(10);
        finish(1, 2, 3, 4, 5, 6, 7, 8, 9);
        passAndCommit();
        consumer.lose(P0);
        intake.runOnce();
        consumer.inLog(log -> log.truncate(P0, 6, 8));
        append(6);
        comeAgain();
        assertThat(parcels).extracting(Parcel::offset).containsExactly(0L, 6L, 7L, 8L, 9L, 10L, 11L);
        finish(0);
        passAndCommit();
        assertThat(consumer.committedOffset(P0)).isEqualTo(6);
    }

    /** Edge case 38: compaction has taken the record that was stuck. */
    @Test
    void anOpenOffsetThatVanishedIsPassedWhenAHigherOneComes() {
        receive(6);
        finish(1, 3, 4);
        passAndCommit();
        consumer.lose(P0);
        intake.runOnce();
        consumer.inLog(log -> log.remove(P0, 0));
        consumer.inLog(log -> log.remove(P0, 2));
        comeAgain();
        assertThat(parcels).extracting(Parcel::offset).containsExactly(5L);
        passAndCommit();
        assertThat(consumer.committedOffset(P0)).isEqualTo(5);
    }

    /** Edge case 42: the log begins after what is committed. The map holds for what is left. */
    @Test
    void aLogThatBeginsLaterKeepsTheRestOfTheMap() {
        receive(10);
        finish(2, 4, 8);
        passAndCommit();
        consumer.lose(P0);
        intake.runOnce();
        IntStream.range(0, 5).forEach(i -> consumer.inLog(log -> log.remove(P0, i)));
        comeAgain();
        assertThat(parcels).extracting(Parcel::offset).containsExactly(5L, 6L, 7L, 9L);
        passAndCommit();
        assertThat(consumer.committedOffset(P0)).isEqualTo(5);
    }

    /** While nobody can say what is done, nothing of the partition is delivered; other partitions go on. */
    @ParameterizedTest
    @FieldSource("NO_ANSWER")
    void aPartitionWaitsUntilItIsKnownWhatIsDone(RuntimeException refusal) {
        receive(6);
        finish(1, 3, 4);
        passAndCommit();
        consumer.revoke(P0);
        consumer.assign(P1);
        intake.runOnce();
        parcels.clear();
        consumer.inGroup(group -> group.refuseToTell(refusal));
        consumer.inGroup(group -> group.refuseToTell(refusal));
        consumer.append(P1, "k", "v");
        consumer.assign(P0);
        intake.runOnce();
        assertThat(parcels).hasSize(1);
        assertThat(parcels.get(0).assignment().topicPartition()).isEqualTo(P1);
        assertThat(consumer.paused()).containsExactly(P0);
        intake.runOnce(); // no answer again
        assertThat(consumer.paused()).containsExactly(P0);
        intake.runOnce();
        assertThat(consumer.paused()).isEmpty();
        assertThat(parcels.stream()
                        .filter(parcel -> parcel.assignment().topicPartition().equals(P0))
                        .map(Parcel::offset))
                .containsExactly(0L, 2L, 5L);
    }

    /** An answer to a later question is none to an earlier one. */
    @Test
    void aPartitionThatWaitsIsLetGoThoughAnotherIsAssigned() {
        RuntimeException away = new TimeoutException("the coordinator is away");
        append(1);
        consumer.append(P1, "k", "v");
        consumer.inGroup(group -> group.refuseToTell(away));
        consumer.inGroup(group -> group.refuseToTell(away));
        consumer.assign(P0);
        intake.runOnce();
        consumer.assign(P1);
        intake.runOnce(); // no answer for the first, then one for the second
        passes(2);
        assertThat(consumer.paused()).isEmpty();
        assertThat(parcels).hasSize(2);
    }

    /** Neither lets go what the other holds. */
    @Test
    void aHoldAndAMissingAnswerHoldBackTogether() {
        RuntimeException away = new TimeoutException("away");
        append(1);
        intake.hold(true);
        intake.runOnce();
        consumer.inGroup(group -> group.refuseToTell(away));
        consumer.assign(P0);
        intake.runOnce();
        intake.runOnce(); // it is known now
        assertThat(consumer.paused()).as("held").containsExactly(P0);
        intake.hold(false);
        passes(2);
        assertThat(consumer.paused()).isEmpty();
        assertThat(parcels).hasSize(1);

        consumer.lose(P0);
        intake.runOnce();
        consumer.inGroup(group -> group.refuseToTell(away));
        consumer.inGroup(group -> group.refuseToTell(away));
        intake.hold(true);
        consumer.assign(P0);
        intake.runOnce();
        intake.hold(false);
        intake.runOnce(); // no answer again
        assertThat(consumer.paused()).as("not known").containsExactly(P0);
        passes(2);
        assertThat(consumer.paused()).isEmpty();
        assertThat(parcels).hasSize(2);
    }

    /** A partition that is taken away while it waits for an answer is not asked for, nor resumed, any more. */
    @Test
    void aPartitionThatIsTakenAwayWhileItWaitsIsForgotten() {
        consumer.inGroup(group -> group.refuseToTell(new TimeoutException("away")));
        append(1);
        consumer.assign(P0);
        intake.runOnce();
        consumer.inGroup(group -> group.refuseToTell(new TimeoutException("away")));
        consumer.revoke(P0);
        intake.runOnce();
        intake.runOnce();
        assertThat(intake.assignments()).isEmpty();
        assertThat(parcels).isEmpty();
    }

    @Test
    void resumingTooLateIsRefused() {
        receive(1);
        Assignment assignment = intake.assignments().get(0);
        assertThatThrownBy(() -> assignment.resume(7, 1, null))
                .hasMessage("offset 1 is known already; too late to resume at 7");
    }
}
