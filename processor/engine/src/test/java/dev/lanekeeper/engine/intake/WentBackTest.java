package dev.lanekeeper.engine.intake;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Logs that were cut, and offsets that somebody set back. Edge cases 41 and 43. */
class WentBackTest extends IntakeScene {
    WentBackTest() {
        super(1_000, 1 << 20);
    }

    /** Edge case 41 and Decaton's repair: what was known of the partition is void, results of before are dropped. */
    @Test
    void offsetsThatGoBackStartAfresh() {
        receive(P0, 4);
        finish(0, 1, 2, 3);
        passAndCommit();
        assertThat(consumer.committedOffset(P0)).isEqualTo(4);
        consumer.append(P0, "k", "v");
        intake.runOnce();
        Parcel old = parcels.get(4);
        old.running = true;

        consumer.goTo(P0, 2);
        intake.runOnce();
        assertThat(parcels).extracting(Parcel::offset).containsExactly(0L, 1L, 2L, 3L, 4L, 2L, 3L, 4L);
        assertThat(old.assignment().fenced()).isTrue();
        completions.offer(old);
        passAndCommit();
        assertThat(counters.staleTotal()).isEqualTo(1);
        assertThat(consumer.committedOffset(P0)).isEqualTo(2);
        finish(5, 6, 7);
        passAndCommit();
        assertThat(consumer.committedOffset(P0)).isEqualTo(5);
    }

    /** Only what is not in the log any more is void: what was not done before that comes again, and is not passed over. */
    @Test
    void offsetsThatGoBackLeaveNothingBeforeThemOut() {
        receive(P0, 4);
        finish(0, 3);
        passAndCommit();
        consumer.goTo(P0, 3);
        intake.runOnce();
        passAndCommit();
        assertThat(parcels).extracting(Parcel::offset).containsExactly(0L, 1L, 2L, 3L, 1L, 2L, 3L);
        assertThat(consumer.committedOffset(P0)).isEqualTo(1);
        finish(4, 5, 6);
        passAndCommit();
        assertThat(consumer.committedOffset(P0)).isEqualTo(4);
    }

    @Test
    void whatRanWhenOffsetsWentBackIsWaitedForToo() {
        receive(P0, 2);
        parcels.get(1).running = true;
        finish(0);
        consumer.goTo(P0, 1);
        intake.runOnce();
        assertThat(counters.abandonedTotal()).isEqualTo(1);
        consumer.revoke(P0);
        intake.runOnce();
        assertThat(counters.abandonedTotal()).isEqualTo(2);
    }

    /** Without one the broker can't notice that the log was truncated meanwhile. */
    @Test
    void aCommitHasALeaderEpochEvenIfNothingIsDone() {
        receive(P0, 1);
        passAndCommit();
        assertThat(lastCommit().leaderEpoch()).contains(7);
    }
}
