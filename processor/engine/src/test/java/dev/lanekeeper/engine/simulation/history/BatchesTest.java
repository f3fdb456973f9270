package dev.lanekeeper.engine.simulation.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.simulation.history.Event.Kind;
import dev.lanekeeper.engine.simulation.history.Violation.Check;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls of several records that never happened. */
class BatchesTest extends NeverHappened {
    @BeforeEach
    void one() {
        begin();
    }

    private void call(int attempt, long number) {
        event(Kind.START, "a", FIRST, 1, attempt, number);
        event(Kind.START, "a", SECOND, 1, attempt, number);
    }

    private void ended(int attempt, int outputsOfFirst) {
        event(Kind.END, "a", FIRST, 1, attempt, outputsOfFirst);
        at("a", Kind.END, SECOND, attempt);
    }

    @Test
    void thoseOfACallRunBesideEachOther() {
        call(1, 1);
        at("a", Kind.FAIL, FIRST, 1);
        at("a", Kind.FAIL, SECOND, 1);
        call(2, 2);
        ended(2, 0);
        run(OTHER, 1);
        commit(3);
        finish(3, 3);
        assertThat(found()).isNull();
    }

    @Test
    void whatIsBehindIsDoneWhenTheFirstIs() {
        call(1, 1);
        ended(1, 1);
        at("a", Kind.ACK, FIRST, 0);
        commit(2);
        assertThat(found()).isNull();
    }

    @Test
    void afterARefusalAllThatIsLeftIsHandledOnceMore() {
        call(1, 1);
        ended(1, 1);
        run(FIRST, 2);
        run(SECOND, 2);
        commit(2);
        assertThat(found()).isNull();
    }

    // -- what is not in order

    @Test
    void aSecondCallOfTheSameCustomer() {
        event(Kind.START, "a", FIRST, 1, 1, 1);
        event(Kind.START, "a", SECOND, 1, 1, 2);
        assertThat(found()).isEqualTo(Check.C1_EXCLUSION);
    }

    @Test
    void oneThatIsInACallTwice() {
        call(1, 1);
        event(Kind.START, "a", SECOND, 1, 2, 1);
        assertThat(found()).isEqualTo(Check.C1_EXCLUSION);
    }

    @Test
    void aCallThatBeginsWithTheSecond() {
        event(Kind.START, "a", SECOND, 1, 1, 1);
        assertThat(found()).isEqualTo(Check.C2_ORDER);
    }

    @Test
    void whatIsBehindCountsAsDoneAhead() {
        call(1, 1);
        ended(1, 1);
        commit(0, 1L);
        assertThat(found()).isEqualTo(Check.C5_COMMIT);
    }

    @Test
    void whatIsBehindCountsAsDoneAfterTheOneBeforeItWasHandledAnew() {
        call(1, 1);
        ended(1, 1);
        run(FIRST, 2);
        commit(2);
        assertThat(found()).isEqualTo(Check.C5_COMMIT);
    }

    @Test
    void outputsOfTheSecondBeforeThoseOfTheFirst() {
        call(1, 1);
        event(Kind.END, "a", FIRST, 1, 1, 1);
        event(Kind.END, "a", SECOND, 1, 1, 1);
        at("a", Kind.ACK, SECOND, 0);
        assertThat(found()).isEqualTo(Check.C2_ORDER);
    }

    @Test
    void oneThatIsHandledOnceMoreAlthoughItsOutputsWereAcknowledged() {
        call(1, 1);
        ended(1, 1);
        at("a", Kind.ACK, FIRST, 0);
        at("a", Kind.START, FIRST, 2);
        assertThat(found()).isEqualTo(Check.C4_REPETITION);
    }

    @Test
    void theSecondIsHandledOnceMoreBeforeTheFirst() {
        call(1, 1);
        ended(1, 1);
        at("a", Kind.START, SECOND, 2);
        assertThat(found()).isEqualTo(Check.C2_ORDER);
    }
}
