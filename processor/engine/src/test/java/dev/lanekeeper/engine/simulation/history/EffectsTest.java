package dev.lanekeeper.engine.simulation.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.simulation.history.Event.Kind;
import dev.lanekeeper.engine.simulation.history.Violation.Check;
import org.junit.jupiter.api.Test;

/** The same for transactions. */
class EffectsTest extends NeverHappened {
    @Test
    void aSuccessorRunsBeforeTheTransactionOfWhatWentBefore() {
        history = history(true);
        begin();
        emit(FIRST);
        emit(SECOND);
        output(FIRST, 10);
        output(SECOND, 11);
        commit(2);
        place(Kind.SETTLED, "a", -1, 0);
        assertThat(found()).isNull();
    }

    @Test
    void anOutputThatIsThereTwice() {
        output(FIRST, 10);
        output(FIRST, 11);
        assertThat(found()).isEqualTo(Check.EXACTLY_ONCE);
    }

    @Test
    void outputsInAnotherOrder() {
        output(SECOND, 10);
        output(FIRST, 11);
        assertThat(found()).isEqualTo(Check.EXACTLY_ONCE);
    }

    @Test
    void anOutputWithoutItsOffset() {
        history = history(true);
        begin();
        emit(FIRST);
        output(FIRST, 10);
        place(Kind.SETTLED, "a", -1, 0);
        assertThat(found()).isEqualTo(Check.EXACTLY_ONCE);
    }

    @Test
    void anOffsetWithoutItsOutput() {
        history = history(true);
        begin();
        emit(FIRST);
        commit(1);
        assertThat(found()).isEqualTo(Check.C5_COMMIT);
    }

    @Test
    void aSuccessorThatDoesNotEvenWaitForTheHandler() {
        history = history(true);
        begin();
        at("a", Kind.START, SECOND, 1);
        assertThat(found()).isEqualTo(Check.C2_ORDER);
    }
}
