package dev.lanekeeper.engine.simulation.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.simulation.history.Event.Kind;
import dev.lanekeeper.engine.simulation.history.Violation.Check;
import org.junit.jupiter.api.Test;

/** The same for what has to be alone: pauses, drains and bulks. */
class ExclusivesTest extends NeverHappened {
    @Test
    void aPauseAndABulkOneAfterTheOther() {
        begin();
        run(FIRST, 1);
        pause(Kind.PAUSED, 0);
        pause(Kind.RESUMED, 0);
        bulk(Kind.BULK_ASKED, "");
        bulk(Kind.BULK_HOLDS, "c1");
        run(OTHER, 1);
        bulk(Kind.BULK_FREES, "c1");
        bulk(Kind.BULK_ENDED, "");
        run(SECOND, 1);
        place(Kind.CLOSED, "a", -1, 0);
        assertThat(found()).isNull();
    }

    @Test
    void aBulkInsideADrainIsInOrder() {
        begin();
        pause(Kind.PAUSED, 1);
        bulk(Kind.BULK_ASKED, "");
        bulk(Kind.BULK_HOLDS, "c1");
        assertThat(found()).isNull();
    }

    @Test
    void aRunInsideAPause() {
        begin();
        pause(Kind.PAUSED, 0);
        at("a", Kind.START, FIRST, 1);
        assertThat(found()).isEqualTo(Check.C6_PAUSE);
    }

    @Test
    void aRunInsideADrain() {
        begin();
        pause(Kind.PAUSED, 1);
        at("a", Kind.START, FIRST, 1);
        assertThat(found()).isEqualTo(Check.C6_PAUSE);
    }

    @Test
    void aPauseThatDoesNotWait() {
        begin();
        at("a", Kind.START, FIRST, 1);
        pause(Kind.PAUSED, 0);
        assertThat(found()).isEqualTo(Check.C6_PAUSE);
    }

    @Test
    void aPauseInsideAnother() {
        pause(Kind.PAUSED, 0);
        pause(Kind.PAUSED, 0);
        assertThat(found()).isEqualTo(Check.C6_PAUSE);
    }

    @Test
    void aBulkInsideAPause() {
        pause(Kind.PAUSED, 0);
        bulk(Kind.BULK_HOLDS, "c1");
        assertThat(found()).isEqualTo(Check.C6_PAUSE);
    }

    @Test
    void aPauseInsideABulk() {
        bulk(Kind.BULK_HOLDS, "c1");
        pause(Kind.PAUSED, 0);
        assertThat(found()).isEqualTo(Check.C6_PAUSE);
    }

    @Test
    void aRunInsideABulk() {
        begin();
        bulk(Kind.BULK_HOLDS, "c1");
        at("a", Kind.START, FIRST, 1);
        assertThat(found()).isEqualTo(Check.C7_BULK);
    }

    @Test
    void aBulkThatDoesNotWait() {
        begin();
        at("a", Kind.START, FIRST, 1);
        bulk(Kind.BULK_HOLDS, "c1");
        assertThat(found()).isEqualTo(Check.C7_BULK);
    }

    @Test
    void aBulkInsideAnother() {
        bulk(Kind.BULK_HOLDS, "c1");
        bulk(Kind.BULK_HOLDS, "c1");
        assertThat(found()).isEqualTo(Check.C7_BULK);
    }

    @Test
    void aBulkThatEndsTwice() {
        bulk(Kind.BULK_ASKED, "");
        bulk(Kind.BULK_ENDED, "");
        bulk(Kind.BULK_ENDED, "");
        assertThat(found()).isEqualTo(Check.C7_BULK);
    }

    @Test
    void aBulkWithoutAnOutcome() {
        bulk(Kind.BULK_ASKED, "");
        place(Kind.CLOSED, "a", -1, 0);
        assertThat(found()).isEqualTo(Check.C7_BULK);
    }
}
