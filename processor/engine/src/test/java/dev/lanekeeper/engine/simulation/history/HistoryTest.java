package dev.lanekeeper.engine.simulation.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.simulation.history.Event.Kind;
import dev.lanekeeper.engine.simulation.history.Violation.Check;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Histories that never happened: each check sees what it is there for, and nothing in what is in order. */
class HistoryTest {
    private static final Message FIRST = new Message("1", "c1", 0, 0, 0);
    private static final Message SECOND = new Message("2", "c1", 0, 1, 0);
    private static final Message OTHER = new Message("3", "c2", 0, 2, 0);

    private final History history = new History(Duration.ofNanos(100), 3);
    private long now;

    // -- what is in order

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

    // -- what is not

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

    // -- what happens

    private void begin() {
        for (Message message : new Message[] {FIRST, SECOND, OTHER}) {
            event(Kind.SUBMIT, "", message, 0, 0, 0);
        }
        assign("a", 0, 1);
    }

    private void assign(String instance, long position, int epoch) {
        history.add(Event.of(now++, Kind.ASSIGN, instance, 0, position, epoch, 0));
    }

    private void run(Message message, int attempt) {
        at("a", Kind.START, message, attempt);
        at("a", Kind.END, message, attempt);
    }

    private void at(String instance, Kind kind, Message message, int attempt) {
        event(kind, instance, message, 1, attempt, 0);
    }

    private void event(Kind kind, String instance, Message message, int epoch, int attempt, long detail) {
        history.add(Event.of(now++, kind, instance, message, epoch, attempt, detail));
    }

    private void place(Kind kind, String instance, int partition, long offset) {
        history.add(Event.of(now++, kind, instance, partition, offset, 1, 0));
    }

    private void commit(long offset, Long... ahead) {
        history.add(Event.commit(now++, "a", 0, offset, 0, new Ahead(List.of(ahead), 0)));
    }

    private void finish(long committed, long end) {
        history.add(Event.of(now++, Kind.FINISH, "", 0, committed, 0, end));
    }

    private @Nullable Check found() {
        Violation violation = history.violation();
        return violation == null ? null : violation.check();
    }
}
