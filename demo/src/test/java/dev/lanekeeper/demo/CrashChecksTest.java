package dev.lanekeeper.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.message.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each check is shown what it must find. */
class CrashChecksTest {
    private static final Instant BEGIN = Instant.parse("2026-01-02T03:04:05Z");

    @Test
    void aCleanHistoryPasses() {
        List<Outcome> history = List.of(
                outcome("a", 1, "victim", 0, 5),
                outcome("b", 2, "one", 2, 6, 9),
                outcome("a", 3, "one", 2, 6, 9),
                outcome("a", 1, "one", 2, 10, 12));
        assertThat(CrashChecks.outOfOrder(history)).isEmpty();
        assertThat(CrashChecks.overlaps(history)).isEmpty();
        assertThat(CrashChecks.repeatedNeedlessly(history, "victim")).isEmpty();
        assertThat(CrashChecks.jobsWithOutcome(history)).isEqualTo(3);
    }

    @Test
    void anOvertakenJobIsFound() {
        assertThat(CrashChecks.outOfOrder(List.of(outcome("a", 3, "one", 0, 1), outcome("a", 1, "one", 2, 3))))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("a: 0:1 of one in epoch 1 from")
                .contains("after 0:3 of one");
    }

    @Test
    void twoRunsAtOnceAreFound() {
        assertThat(CrashChecks.overlaps(List.of(outcome("a", 1, "one", 0, 5), outcome("a", 3, "two", 4, 8))))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("a: 0:3 of two");
    }

    @Test
    void aNeedlessRepetitionIsFound() {
        assertThat(CrashChecks.repeatedNeedlessly(
                        List.of(outcome("a", 1, "one", 0, 5), outcome("a", 1, "two", 2, 6, 8)), "victim"))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("0:1 of two in epoch 2")
                .contains("before 0:1 of one");
    }

    @Test
    void somethingUnfinishedBeforeIsNoReasonToRepeat() {
        List<Outcome> history = List.of(
                outcome("a", 2, "one", 1, 0, 5), outcome("b", 1, "two", 2, 6, 8), outcome("a", 2, "two", 2, 9, 10));
        assertThat(CrashChecks.repeatedNeedlessly(history, "victim")).hasSize(1);
    }

    @Test
    void aRepetitionAfterTheVictimIsNoFault() {
        List<Outcome> history = List.of(
                outcome("a", 2, "one", 1, 0, 5), outcome("b", 1, "victim", 2, 6, 8), outcome("a", 2, "two", 3, 9, 10));
        assertThat(CrashChecks.repeatedNeedlessly(history, "victim")).isEmpty();
        assertThat(CrashChecks.repeatedNeedlessly(history, "nobody")).hasSize(1);
    }

    private static Outcome outcome(String customer, long offset, String instance, long start, long end) {
        return outcome(customer, offset, instance, 1, start, end);
    }

    private static Outcome outcome(String customer, long offset, String instance, int epoch, long start, long end) {
        return new Outcome(
                "j-" + offset,
                customer,
                null,
                Outcome.Status.DONE,
                1,
                instance,
                epoch,
                "customer-jobs",
                0,
                offset,
                BEGIN.plusMillis(start),
                BEGIN.plusMillis(end),
                false,
                null,
                Map.of());
    }
}
