package dev.lanekeeper.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class PacerTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void spacesEvenly() {
        List<Long> sends = walk(new Pacer(200, 0)::reserve, 400, -1);
        assertThat(sends.get(0)).isZero();
        for (int i = 1; i < sends.size(); i++) {
            assertThat(sends.get(i) - sends.get(i - 1))
                    .as("gap before send %d", i)
                    .isEqualTo(5_000_000L);
        }
    }

    @Test
    void keepsAFractionalRateWithoutDrift() {
        List<Long> sends = walk(new Pacer(3, 0)::reserve, 3_001, -1);
        assertThat(sends.get(3_000)).isBetween(1000 * SECOND, 1000 * SECOND + 1_000);
    }

    @Test
    void aStallIsNotFollowedByABurst() {
        List<Long> sends = walk(new Pacer(1_000, 0)::reserve, 2_000, 500);
        assertThat(mostWithin(sends, 100_000_000L)).isLessThanOrEqualTo(100 + 11);
    }

    @Test
    void theMeasureSeesABurst() {
        // keeps to the schedule at any price: after a stall of a second it sends a thousand at once
        long[] due = {0};
        LongUnaryOperator eager = now -> Math.max(0, (due[0] += 1_000_000L) - now);
        assertThat(mostWithin(walk(eager, 2_000, 500), 100_000_000L)).isGreaterThan(900);
    }

    /** When each record is sent; before the one numbered {@code stallAt} a second is lost. */
    private static List<Long> walk(LongUnaryOperator pacer, int records, int stallAt) {
        List<Long> sends = new ArrayList<>();
        long now = 0;
        for (int i = 0; i < records; i++) {
            if (i == stallAt) {
                now += SECOND;
            }
            now += pacer.applyAsLong(now);
            sends.add(now);
        }
        return sends;
    }

    private static int mostWithin(List<Long> sends, long windowNanos) {
        int most = 0;
        int first = 0;
        for (int last = 0; last < sends.size(); last++) {
            while (sends.get(last) - sends.get(first) > windowNanos) {
                first++;
            }
            most = Math.max(most, last - first + 1);
        }
        return most;
    }
}
