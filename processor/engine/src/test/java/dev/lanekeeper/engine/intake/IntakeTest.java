package dev.lanekeeper.engine.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.RetriableCommitFailedException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The poll loop, one pass at a time on the test's thread: what it commits, and what it makes of refusals. */
class IntakeTest extends IntakeScene {
    static final List<RuntimeException> NOT_NOW = List.of(
            new RebalanceInProgressException("a rebalance is under way"),
            new CommitFailedException("the group has moved on"),
            new RetriableCommitFailedException("the coordinator is away"),
            new TimeoutException("no answer"));

    static final List<KafkaException> NEVER =
            List.of(new GroupAuthorizationException("group"), new FencedInstanceIdException("fenced"));

    IntakeTest() {
        super(1_000, 1 << 20);
    }

    /** What has been lined up must leave its lane when the engine ends, which takes a worker. */
    @Test
    void whatWasLinedUpIsStartedThoughADispatchFails() {
        AtomicInteger started = new AtomicInteger();
        Router router = new Router() {
            @Override
            public Routed route(ConsumerRecord<byte[], byte[]> record, Assignment assignment, long sequence) {
                if (record.offset() == 1) {
                    throw new IllegalStateException("planned");
                }
                return new Parcel(record, assignment, sequence);
            }

            @Override
            public void dispatched() {
                started.incrementAndGet();
            }
        };
        ScriptedConsumer other = new ScriptedConsumer(false);
        Intake failing = new Intake(
                other,
                router,
                completions,
                new IntakeSettings(1_000, 1 << 20, 24_000, INTERVAL, Duration.ZERO),
                counters,
                clock.nanos(),
                ids,
                null);
        other.subscribe(List.of("jobs"), failing.rebalanceListener());
        other.append(P0, "k", "v");
        other.append(P0, "k", "v");
        other.assign(P0);
        assertThatThrownBy(failing::runOnce).hasMessage("planned");
        assertThat(started).hasValue(1);
    }

    /** Whatever comes, goes or was throttled while fetching is held back. */
    @Test
    void nothingIsFetchedWhileHeldAndEverythingAfterwards() {
        receive(P0, 1);
        intake.hold(true);
        assertThat(intake.drained()).isFalse();
        intake.runOnce();
        consumer.append(P0, "k", "v");
        consumer.assign(P1);
        consumer.append(P1, "k", "v");
        intake.runOnce();
        intake.runOnce();
        assertThat(parcels).hasSize(1);
        assertThat(consumer.paused()).containsExactlyInAnyOrder(P0, P1);
        assertThat(intake.drained()).isFalse();
        completions.offer(parcels.get(0));
        intake.runOnce();
        assertThat(intake.drained()).isFalse(); // done, but the broker does not know
        clock.advance(INTERVAL);
        intake.runOnce();
        intake.runOnce();
        assertThat(intake.drained()).isTrue();
        intake.hold(false);
        intake.runOnce();
        assertThat(parcels).hasSize(3);
        assertThat(consumer.paused()).isEmpty();
        assertThat(intake.drained()).isFalse();
    }

    @Test
    void everyRecordIsDispatchedOnceInOrder() {
        receive(P0, 3);
        assertThat(parcels).extracting(Parcel::offset).containsExactly(0L, 1L, 2L);
        assertThat(parcels).allMatch(parcel -> parcel.dispatched);
        intake.runOnce();
        assertThat(parcels).hasSize(3);
        assertThat(counters.polledTotal()).isEqualTo(3);
    }

    @Test
    void theCommitIsTheLowestThatIsNotDoneWithTheLeaderEpochBelowIt() {
        receive(P0, 5);
        finish(1, 2, 4);
        passAndCommit();
        assertThat(consumer.committedOffset(P0)).isZero();
        finish(0);
        passAndCommit();
        assertThat(consumer.committedOffset(P0)).isEqualTo(3);
        assertThat(lastCommit().leaderEpoch()).contains(7);
        finish(3);
        passAndCommit();
        assertThat(consumer.committedOffset(P0)).isEqualTo(5);
        assertThat(counters.completedTotal()).isEqualTo(5);
    }

    @Test
    void nothingIsCommittedBeforeItIsTimeOrTwice() {
        receive(P0, 1);
        passAndCommit();
        finish(0);
        intake.runOnce();
        int before = consumer.commits().size();
        passAndCommit();
        passAndCommit();
        passAndCommit();
        assertThat(consumer.commits()).hasSize(before + 1);
    }

    /** Edge case 39 and spring-kafka#4258: markers and compacted records at the end leave no lag. */
    @Test
    void theFrontierPassesOffsetsThatNoRecordHas() {
        receive(P0, 1);
        consumer.appendGap(P0, 4);
        intake.runOnce();
        passAndCommit();
        assertThat(consumer.committedOffset(P0)).isZero();
        finish(0);
        passAndCommit();
        assertThat(consumer.committedOffset(P0)).isEqualTo(5);
    }

    /** PC f#108, decaton#201, edge cases 52 and 53: refused is not committed, and is made up for without further work. */
    @ParameterizedTest
    @FieldSource("NOT_NOW")
    void aRefusedCommitIsMadeUpForAtTheNextInterval(RuntimeException refusal) {
        receive(P0, 2);
        finish(0, 1);
        consumer.refuseCommit(refusal);
        passAndCommit();
        intake.runOnce(); // brings the answer
        assertThat(consumer.committedOffset(P0)).isEqualTo(-1);
        assertThat(counters.commitFailuresTotal()).isEqualTo(1);
        passAndCommit();
        assertThat(consumer.committedOffset(P0)).isEqualTo(2);
        assertThat(counters.commitFailuresTotal()).isEqualTo(1);
    }

    /** The same at the other place where a client may say it: thrown at the call. */
    @ParameterizedTest
    @FieldSource("NOT_NOW")
    void aCommitThatIsRefusedAtTheCallIsMadeUpForToo(RuntimeException refusal) {
        receive(P0, 2);
        finish(0, 1);
        consumer.refuseCommitAtTheCall(refusal);
        passAndCommit();
        assertThat(counters.commitFailuresTotal()).isEqualTo(1);
        passAndCommit();
        assertThat(consumer.committedOffset(P0)).isEqualTo(2);
    }

    @Test
    void aCommitWhoseAnswerWasLostIsSentAgain() {
        receive(P0, 2);
        finish(0, 1);
        consumer.loseCommitAnswer(new TimeoutException("no answer"));
        passAndCommit();
        intake.runOnce();
        int before = consumer.commits().size();
        passAndCommit();
        assertThat(consumer.commits()).hasSize(before + 1);
        assertThat(consumer.committedOffset(P0)).isEqualTo(2);
    }

    /** PC#664: what ends while a commit is on the wire is in the next one. */
    @Test
    void whatEndsWhileACommitIsOnTheWireIsInTheNextOne() {
        receive(P0, 2);
        finish(0);
        consumer.holdAnswers(true);
        passAndCommit();
        finish(1);
        passAndCommit();
        assertThat(consumer.committedOffset(P0)).isEqualTo(1); // one at a time
        consumer.holdAnswers(false);
        passAndCommit();
        passAndCommit();
        assertThat(consumer.committedOffset(P0)).isEqualTo(2);
    }

    @ParameterizedTest
    @FieldSource("NEVER")
    void aRefusalThatWillNotPassEndsTheLoop(KafkaException refusal) {
        receive(P0, 1);
        finish(0);
        consumer.refuseCommit(refusal);
        assertThatThrownBy(() -> {
                    passAndCommit();
                    passAndCommit();
                })
                .isSameAs(refusal);
    }

    /** PC#777, first half: bounded. With no time to wait, running records are given up and everything done is committed. */
    @Test
    void aRevokedPartitionIsCommittedAndItsLateResultsAreStale() {
        receive(P0, 4);
        parcels.get(2).running = true;
        finish(0, 1);
        consumer.revoke(P0);
        intake.runOnce();
        assertThat(consumer.committedOffset(P0)).isEqualTo(2);
        assertThat(parcels.get(3).dropped).isTrue();
        assertThat(counters.abandonedTotal()).isEqualTo(1);
        finish(2);
        passAndCommit();
        assertThat(counters.staleTotal()).isEqualTo(1);
        assertThat(consumer.committedOffset(P0)).isEqualTo(2);
        assertThat(intake.assignments()).isEmpty();
    }

    /** decaton#201 at the commit of a revocation: the loop goes on, the records come again. */
    @ParameterizedTest
    @FieldSource("NOT_NOW")
    void aRefusedCommitOfARevocationDoesNotEndTheLoop(RuntimeException refusal) {
        receive(P0, 2);
        finish(0, 1);
        consumer.refuseCommit(refusal);
        consumer.revokeAndReturn(P0);
        intake.runOnce();
        assertThat(consumer.committedOffset(P0)).isEqualTo(-1);
        assertThat(parcels).extracting(Parcel::offset).containsExactly(0L, 1L, 0L, 1L);
        finish(2, 3);
        passAndCommit();
        assertThat(consumer.committedOffset(P0)).isEqualTo(2);
    }

    /** Edge case 51: another consumer owns it by now. */
    @Test
    void aLostPartitionIsNotCommitted() {
        receive(P0, 2);
        finish(0);
        intake.runOnce();
        finish(1);
        consumer.lose(P0);
        passAndCommit();
        assertThat(consumer.commits()).isEmpty();
        assertThat(parcels.get(0).assignment().fenced()).isTrue();
    }

    @Test
    void otherPartitionsGoOnThroughARevocation() {
        consumer.append(P0, "a", "0");
        consumer.append(P1, "b", "0");
        consumer.assign(P0, P1);
        intake.runOnce();
        consumer.revoke(P0);
        intake.runOnce();
        Parcel kept = parcels.stream()
                .filter(parcel -> parcel.assignment().topicPartition().equals(P1))
                .findFirst()
                .orElseThrow();
        assertThat(kept.dropped).isFalse();
        completions.offer(kept);
        passAndCommit();
        assertThat(consumer.committedOffset(P1)).isEqualTo(1);
    }

    @Test
    void aRecordThatWasGivenUpHoldsTheFrontier() {
        receive(P0, 2);
        completions.offer(parcels.get(0).durable(false));
        finish(1);
        passAndCommit();
        assertThat(consumer.committedOffset(P0)).isZero();
        assertThat(counters.completedTotal()).isEqualTo(1);
    }

    @Test
    void drainingDropsWhatWaitsAndCommitsWhatIsDone() {
        receive(P0, 3);
        finish(0);
        assertThat(intake.drainAndClose(Duration.ZERO)).isZero();
        assertThat(parcels.get(1).dropped).isTrue();
        assertThat(consumer.committedOffset(P0)).isEqualTo(1);
        assertThat(consumer.closed()).isTrue();
    }

    @ParameterizedTest
    @FieldSource("NOT_NOW")
    void theLastCommitIsTriedTwice(RuntimeException refusal) {
        receive(P0, 1);
        finish(0);
        intake.runOnce();
        consumer.refuseCommit(refusal);
        assertThat(intake.drainAndClose(Duration.ZERO)).isZero();
        assertThat(consumer.committedOffset(P0)).isEqualTo(1);
    }

    /** KAFKA-20332: a consumer that brings records it should not is not believed about how far they go. */
    @Test
    void recordsThatComeWhileDrainingAreLeftOutAndNotPassed() {
        receive(P0, 1);
        parcels.get(0).running = true;
        consumer.inPoll(() -> {
            consumer.append(P0, "k", "v");
            consumer.resume(List.of(P0));
            consumer.inPoll(() -> finish(0));
        });
        assertThat(intake.drainAndClose(INTERVAL)).isZero();
        assertThat(counters.polledTotal()).isEqualTo(2);
        assertThat(parcels).hasSize(1);
        assertThat(consumer.committedOffset(P0)).isEqualTo(1);
    }

    @Test
    void aDrainThatFailsClosesTheConsumerAllTheSame() {
        receive(P0, 1);
        parcels.get(0).running = true;
        consumer.inPoll(() -> {
            throw new GroupAuthorizationException("group");
        });
        assertThatThrownBy(() -> intake.drainAndClose(INTERVAL)).isInstanceOf(GroupAuthorizationException.class);
        assertThat(consumer.closed()).isTrue();
        assertThat(consumer.commits()).isEmpty();
    }
}
