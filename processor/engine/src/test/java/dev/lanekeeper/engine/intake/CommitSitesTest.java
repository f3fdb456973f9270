package dev.lanekeeper.engine.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.RetriableCommitFailedException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.WakeupException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * decaton#201, decaton#19, PC#833, edge cases 44, 52 and 53: whatever a broker says to a commit, at the places that wait for
 * the answer. IntakeTest has the commits in between.
 */
class CommitSitesTest extends MapScene {
    static final List<KafkaException> ANSWERS = List.of(
            new RebalanceInProgressException("a rebalance is under way"),
            new CommitFailedException("the group has moved on"),
            new RetriableCommitFailedException("the coordinator is away"),
            new TimeoutException("no answer"),
            new WakeupException(),
            new UnknownTopicOrPartitionException("the topic was deleted"),
            new KafkaException("Topic or Partition jobs-0 does not exist"),
            new GroupAuthorizationException("group"),
            new FencedInstanceIdException("fenced"));

    /** An exception out of the callback would end the consumer, which then learns from its next poll what it may do. */
    @ParameterizedTest
    @FieldSource("ANSWERS")
    void noRefusalAtARevocationLeavesTheCallback(KafkaException answer) {
        receive(3);
        finish(0, 1);
        consumer.refuseCommit(answer);
        consumer.revoke(P0);
        intake.runOnce();
        assertThat(consumer.committedOffset(P0)).isEqualTo(-1);
        assertThat(counters.commitFailuresTotal()).isEqualTo(1);
        assertThat(intake.assignments()).isEmpty();
        comeAgain();
        assertThat(parcels).extracting(Parcel::offset).containsExactly(0L, 1L, 2L);
        finish(0, 1, 2);
        passAndCommit();
        assertThat(consumer.committedOffset(P0)).isEqualTo(3);
    }

    /** Edge case 44: the client tries it until its time is up, and whoever is served by this consumer waits meanwhile. */
    @Test
    void theLastCommitOfADeletedTopicIsSoonGivenUp() {
        TopicPartition other = new TopicPartition("others", 0);
        receive(2);
        consumer.append(other, "k", "v");
        consumer.assign(other);
        passes(2);
        completeAll();
        consumer.deleteTopic("jobs");
        consumer.refuseCommit(new TimeoutException("tried until time was up"));
        consumer.inGroup(group -> group.whileCommitting(() -> clock.advance(Duration.ofSeconds(1))));
        consumer.revoke(P0, other);
        intake.runOnce();
        assertThat(consumer.committedOffset(other)).isEqualTo(1);
        assertThat(consumer.committedOffset(P0)).as("it is gone").isEqualTo(-1);
        assertThat(counters.commitFailuresTotal()).isZero();
    }

    /** What is slow and not gone has all of its time. */
    @Test
    void theLastCommitOfATopicThatExistsIsTriedAgain() {
        receive(2);
        completeAll();
        consumer.refuseCommit(new TimeoutException("a slow broker"));
        consumer.inGroup(group -> group.whileCommitting(() -> clock.advance(Duration.ofSeconds(1))));
        consumer.revoke(P0);
        intake.runOnce();
        assertThat(consumer.committedOffset(P0)).isEqualTo(2);
    }

    private void completeAll() {
        parcels.forEach(completions::offer);
        intake.runOnce();
    }

    /** Edge case 53: it was done after all, and what was done is not done again. */
    @Test
    void anAnswerThatIsLostAtARevocationCostsNothing() {
        receive(3);
        finish(0, 1);
        consumer.loseCommitAnswer(new TimeoutException("no answer"));
        consumer.revoke(P0);
        comeAgain();
        assertThat(parcels).extracting(Parcel::offset).containsExactly(2L);
    }

    @ParameterizedTest
    @FieldSource("ANSWERS")
    void aRefusalAtTheCloseIsAskedAboutOnceMore(KafkaException answer) {
        receive(2);
        finish(0, 1);
        intake.runOnce();
        consumer.refuseCommit(answer);
        assertThat(intake.drainAndClose(Duration.ZERO)).isZero();
        assertThat(consumer.committedOffset(P0)).isEqualTo(2);
        assertThat(consumer.closed()).isTrue();
    }

    /** PC#552, the broker away at the close: the member leaves all the same, and nothing is taken for committed. */
    @ParameterizedTest
    @FieldSource("ANSWERS")
    void refusedForGoodAtTheCloseTheConsumerLeavesAllTheSame(KafkaException answer) {
        receive(2);
        finish(0, 1);
        intake.runOnce();
        for (int i = 0; i < 5; i++) {
            consumer.refuseCommit(answer);
        }
        assertThat(intake.drainAndClose(Duration.ZERO)).isZero();
        assertThat(consumer.committedOffset(P0)).isEqualTo(-1);
        assertThat(consumer.closed()).isTrue();
        assertThat(counters.commitFailuresTotal()).isEqualTo(2);
    }

    /** Edge case 44: a deleted topic's commits are refused at every interval; the others' are not the worse for it. */
    @Test
    void aTopicThatIsGoneDoesNotEndTheLoop() {
        receive(2);
        finish(0);
        for (int i = 0; i < 5; i++) {
            consumer.refuseCommit(new UnknownTopicOrPartitionException("the topic was deleted"));
            passAndCommit();
            intake.runOnce(); // brings the answer
        }
        assertThat(counters.commitFailuresTotal()).isEqualTo(5);
        finish(1);
        passAndCommit();
        assertThat(consumer.committedOffset(P0)).isEqualTo(2);
    }
}
