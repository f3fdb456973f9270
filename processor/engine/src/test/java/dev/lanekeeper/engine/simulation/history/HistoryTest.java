package dev.lanekeeper.engine.simulation.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.simulation.history.Event.Kind;
import dev.lanekeeper.engine.simulation.history.Violation.Check;
import org.junit.jupiter.api.Test;

/** Histories that never happened: each check sees what it is there for, and nothing in what is in order. */
class HistoryTest extends NeverHappened {
    @Test
    void aRunAfterAnotherIsInOrder() {
        begin();
        run(FIRST, 1);
        at("a", Kind.START, SECOND, 1);
        at("a", Kind.FAIL, SECOND, 1);
        run(SECOND, 2);
        run(OTHER, 1);
        commit(3);
        finish(3, 3);
        assertThat(found()).isNull();
    }

    @Test
    void whatAnInstanceRunsThatWasCutOffMayGoOnBesideOthers() {
        begin();
        at("a", Kind.START, FIRST, 1);
        place(Kind.EXPEL, "a", -1, 0);
        assign("b", 0, 2);
        event(Kind.START, "b", FIRST, 2, 1, 0);
        assertThat(found()).isNull();
    }

    @Test
    void whatWasWaitedForInVainMayGoOn() {
        begin();
        at("a", Kind.START, FIRST, 1);
        place(Kind.REVOKE, "a", 0, 0);
        now += 100;
        place(Kind.REVOKED, "a", 0, 0);
        assign("b", 0, 2);
        event(Kind.START, "b", FIRST, 2, 1, 0);
        assertThat(found()).isNull();
    }

    @Test
    void whatWasTruncatedAwayIsNotMissing() {
        begin();
        run(FIRST, 1);
        history.add(Event.of(now, Kind.TRUNCATE, "", 0, 1, 1, 0));
        commit(1);
        finish(1, 1);
        assertThat(found()).isNull();
    }

    @Test
    void whatAMapForgotMayRunAgain() {
        begin();
        run(OTHER, 1);
        commit(0);
        assign("b", 0, 2);
        event(Kind.START, "b", OTHER, 2, 1, 0);
        assertThat(found()).isNull();
    }

    @Test
    void aMapSaysNothingOfWhatWasWrittenAfterACut() {
        begin();
        run(OTHER, 1);
        commit(0, 2L);
        history.add(Event.of(now, Kind.TRUNCATE, "", 0, 2, 1, 0));
        Message anew = new Message("4", "c2", 0, 2, 1);
        event(Kind.SUBMIT, "", anew, 0, 0, 0);
        commit(0, 2L); // of somebody who hasn't heard of the cut
        assign("b", 0, 2);
        event(Kind.START, "b", anew, 2, 1, 0);
        assertThat(found()).isNull();
    }

    @Test
    void whatWasGivenUpMayGoOnBesideItsNextAttempt() {
        begin();
        at("a", Kind.START, FIRST, 1);
        now += 1_000;
        at("a", Kind.START, FIRST, 2);
        at("a", Kind.LATE, FIRST, 1);
        at("a", Kind.END, FIRST, 2);
        at("a", Kind.START, SECOND, 1);
        assertThat(found()).isNull();
    }

    @Test
    void aRecordThatStoppedItsPartitionHasAllItsAttemptsAgain() {
        begin();
        at("a", Kind.START, FIRST, 1);
        at("a", Kind.FAIL, FIRST, 1);
        place(Kind.UNSTOPPED, "a", 0, 0);
        run(FIRST, 1);
        assertThat(found()).isNull();
    }

    // -- what is not in order

    @Test
    void whatEndedLateIsNotDone() {
        begin();
        at("a", Kind.START, FIRST, 1);
        now += 1_000;
        at("a", Kind.LATE, FIRST, 1);
        at("a", Kind.START, SECOND, 1);
        assertThat(found()).isEqualTo(Check.C2_ORDER);
    }

    @Test
    void aMapThatSaysTooMuch() {
        begin();
        run(FIRST, 1);
        commit(1, 2L);
        assertThat(found()).isEqualTo(Check.C5_COMMIT);
    }

    @Test
    void aRunOfWhatTheMapSaysToBeDone() {
        begin();
        run(OTHER, 1);
        commit(0, 2L);
        assign("b", 0, 2);
        event(Kind.START, "b", OTHER, 2, 1, 0);
        assertThat(found()).isEqualTo(Check.C4_REPETITION);
    }

    @Test
    void twoRunsOfAKeyOnOneInstance() {
        begin();
        at("a", Kind.START, FIRST, 1);
        at("a", Kind.START, SECOND, 1);
        assertThat(found()).isEqualTo(Check.C1_EXCLUSION);
    }

    @Test
    void twoRunsOfAKeyOnTwoInstances() {
        begin();
        at("a", Kind.START, FIRST, 1);
        assign("b", 0, 2);
        event(Kind.START, "b", FIRST, 2, 1, 0);
        assertThat(found()).isEqualTo(Check.C1_EXCLUSION);
    }

    @Test
    void aRevocationThatDoesNotWait() {
        begin();
        at("a", Kind.START, FIRST, 1);
        place(Kind.REVOKE, "a", 0, 0);
        now += 98;
        place(Kind.REVOKED, "a", 0, 0);
        assertThat(found()).isEqualTo(Check.C1_EXCLUSION);
    }

    @Test
    void aRunBeforeItsPredecessor() {
        begin();
        at("a", Kind.START, SECOND, 1);
        assertThat(found()).isEqualTo(Check.C2_ORDER);
    }

    @Test
    void aRunBeforeItsPredecessorsOutputsAreAcknowledged() {
        begin();
        at("a", Kind.START, FIRST, 1);
        event(Kind.END, "a", FIRST, 1, 1, 1);
        at("a", Kind.START, SECOND, 1);
        assertThat(found()).isEqualTo(Check.C2_ORDER);
    }

    @Test
    void aMessageThatIsNeverDone() {
        begin();
        run(FIRST, 1);
        finish(3, 3);
        assertThat(found()).isEqualTo(Check.C3_COMPLETENESS);
    }

    @Test
    void anEndThatIsNotCommitted() {
        begin();
        run(FIRST, 1);
        run(SECOND, 1);
        event(Kind.DLQ, "a", OTHER, 1, 0, 0);
        finish(2, 3);
        assertThat(found()).isEqualTo(Check.C3_COMPLETENESS);
    }

    @Test
    void aRunAgainAfterSuccess() {
        begin();
        run(FIRST, 1);
        at("a", Kind.START, FIRST, 2);
        assertThat(found()).isEqualTo(Check.C4_REPETITION);
    }

    @Test
    void anAttemptAnewWithoutAReason() {
        begin();
        at("a", Kind.START, FIRST, 1);
        at("a", Kind.FAIL, FIRST, 1);
        at("a", Kind.START, FIRST, 1);
        assertThat(found()).isEqualTo(Check.C4_REPETITION);
    }

    @Test
    void anAttemptTooMany() {
        begin();
        for (int attempt = 1; attempt <= 4; attempt++) {
            assertThat(found()).isNull();
            at("a", Kind.START, FIRST, attempt);
            at("a", Kind.FAIL, FIRST, attempt);
        }
        assertThat(found()).isEqualTo(Check.C4_REPETITION);
    }

    @Test
    void aRunWhileThePartitionIsRevoked() {
        begin();
        place(Kind.REVOKE, "a", 0, 0);
        at("a", Kind.START, FIRST, 1);
        assertThat(found()).isEqualTo(Check.C4_REPETITION);
    }

    @Test
    void aRunAfterThePartitionWasLost() {
        begin();
        place(Kind.LOST, "a", 0, 0);
        at("a", Kind.START, FIRST, 1);
        assertThat(found()).isEqualTo(Check.C4_REPETITION);
    }

    @Test
    void aRunOfWhatWasCommittedBeforeTheAssignment() {
        begin();
        run(FIRST, 1);
        commit(1);
        place(Kind.REVOKE, "a", 0, 0);
        place(Kind.REVOKED, "a", 0, 0);
        assign("b", 1, 2);
        event(Kind.START, "b", FIRST, 2, 1, 0);
        assertThat(found()).isEqualTo(Check.C4_REPETITION);
    }

    @Test
    void aCommitBeyondWhatIsDone() {
        begin();
        run(FIRST, 1);
        commit(2);
        assertThat(found()).isEqualTo(Check.C5_COMMIT);
    }

    @Test
    void aCommitBeyondAnUnacknowledgedOutput() {
        begin();
        at("a", Kind.START, FIRST, 1);
        event(Kind.END, "a", FIRST, 1, 1, 1);
        commit(1);
        assertThat(found()).isEqualTo(Check.C5_COMMIT);
    }

    @Test
    void aCommitThatGoesBack() {
        begin();
        run(FIRST, 1);
        run(SECOND, 1);
        commit(2);
        commit(1);
        assertThat(found()).isEqualTo(Check.C5_COMMIT);
    }

    @Test
    void somethingLeftBehind() {
        history.add(Event.of(now, Kind.QUIET, "a", -1, 0, 0, 1));
        assertThat(found()).isEqualTo(Check.C8_QUIESCENCE);
    }

    @Test
    void anEndThatDoesNotCome() {
        begin();
        place(Kind.STALL, "", -1, 0);
        assertThat(found()).isEqualTo(Check.C9_TERMINATION);
    }
}
