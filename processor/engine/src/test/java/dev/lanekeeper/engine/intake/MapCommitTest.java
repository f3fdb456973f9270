package dev.lanekeeper.engine.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.offset.AheadMap;
import dev.lanekeeper.engine.offset.UnreadableMapException;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is done ahead of the frontier is committed with it. */
class MapCommitTest extends MapScene {
    @Test
    void whatIsDoneAheadIsCommittedThoughTheFrontierStands() throws UnreadableMapException {
        receive(5);
        finish(1, 3);
        passAndCommit();
        AheadMap map = map();
        assertThat(map).isNotNull();
        assertThat(IntStream.range(0, 6).filter(map::done)).containsExactly(1, 3);
        int commits = consumer.commits().size();
        passAndCommit();
        assertThat(consumer.commits()).as("nothing has changed").hasSize(commits);
        finish(2);
        intake.runOnce();
        assertThat(consumer.commits()).as("it is not time yet").hasSize(commits);
        passAndCommit();
        assertThat(consumer.commits()).hasSize(commits + 1);
        assertThat(consumer.committedOffset(P0)).isZero();
        assertThat(intake.assignments().get(0).mapBytes()).isPositive();
        finish(0, 4);
        passAndCommit();
        assertThat(consumer.committedOffset(P0)).isEqualTo(5);
        assertThat(map()).as("nothing is ahead any more").isNull();
        assertThat(intake.assignments().get(0).mapBytes()).isZero();
    }

    /** An orderly end repeats nothing that was completed. */
    @Test
    void theLastCommitHasTheMap() {
        receive(6);
        finish(2, 4);
        intake.drainAndClose(Duration.ZERO);
        assertThat(consumer.committedOffset(P0)).isZero();
        AheadMap map = map();
        assertThat(map).isNotNull();
        assertThat(IntStream.range(0, 7).filter(map::done)).containsExactly(2, 4);
    }

    @Test
    void aRevocationCommitsTheMap() {
        receive(6);
        finish(2, 4);
        consumer.revoke(P0);
        intake.runOnce();
        comeAgain();
        assertThat(parcels).extracting(Parcel::offset).containsExactly(0L, 1L, 3L, 5L);
    }

    /** PC#664, PC f#108: an answer confirms what was sent with the question, and not what has ended since. */
    @Test
    void whatEndsWhileACommitIsOnTheWireIsCommittedNext() {
        receive(4);
        finish(1);
        consumer.holdAnswers(true);
        passAndCommit();
        finish(2);
        passAndCommit();
        consumer.holdAnswers(false);
        passAndCommit();
        passAndCommit();
        AheadMap map = map();
        assertThat(map).isNotNull();
        assertThat(IntStream.range(0, 5).filter(map::done)).containsExactly(1, 2);
    }

    @Test
    void aRefusedMapIsMadeUpForAtTheNextInterval() {
        receive(4);
        finish(1);
        consumer.refuseCommit(new CommitFailedException("the group has moved on"));
        passAndCommit();
        intake.runOnce();
        assertThat(map()).isNull();
        passAndCommit();
        assertThat(map()).isNotNull();
    }

    /** The leader epoch that was committed is committed again as long as the frontier stands. */
    @Test
    void theLeaderEpochBelowTheFrontierSurvives() {
        append(10);
        consumer.inGroup(group -> group.put(P0, new OffsetAndMetadata(5, Optional.of(6), "")));
        consumer.assign(P0);
        intake.runOnce();
        finish(1);
        passAndCommit();
        assertThat(committed().offset()).isEqualTo(5);
        assertThat(committed().leaderEpoch()).contains(6);
        finish(0);
        passAndCommit();
        assertThat(committed().leaderEpoch()).contains(7);
    }

    /** A broker with a smaller limit: commits go on, with less of the map or none. */
    @ParameterizedTest
    @ValueSource(ints = {0, 20, 100, 1_000})
    void aBrokerThatTakesLessMetadataGetsLess(int characters) {
        consumer.inGroup(group -> group.maxCharacters(characters));
        receive(3_000);
        for (int i = 10; i < 3_000; i += 1 + i % 3) {
            finish(i);
        }
        for (int i = 0; i < 10; i++) {
            passAndCommit();
            intake.runOnce();
        }
        assertThat(committed().offset()).isZero();
        assertThat(committed().metadata().length()).isBetween(characters < 64 ? 0 : characters / 4, characters);
        finish(0);
        assertThat(intake.drainAndClose(Duration.ZERO)).isZero();
        assertThat(committed().offset()).isEqualTo(1);
    }

    /** The same where the first commit is that of the close. */
    @Test
    void theLastCommitGetsSmallerUntilTheBrokerTakesIt() {
        consumer.inGroup(group -> group.maxCharacters(100));
        receive(3_000);
        for (int i = 10; i < 3_000; i += 1 + i % 3) {
            finish(i);
        }
        intake.drainAndClose(Duration.ZERO);
        assertThat(committed().offset()).isZero();
        assertThat(committed().metadata().length()).isBetween(50, 100);
    }
}
