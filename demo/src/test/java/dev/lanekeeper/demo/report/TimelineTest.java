package dev.lanekeeper.demo.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimelineTest {
    private static final long MS = 1_000_000;

    @Test
    void jobsOfACustomerAreBlocksByTurns() {
        Timeline timeline = Timeline.of(List.of(
                new Run("a", 0, 2 * MS),
                new Run("a", 2 * MS, 4 * MS),
                new Run("a", 6 * MS, 8 * MS),
                new Run("b", 1 * MS, 3 * MS)));
        assertThat(timeline.columnMillis()).isEqualTo(1.0);
        assertThat(timeline.rows()).containsExactly("a  ##==..##" + ".".repeat(52), "b  .##" + ".".repeat(57));
        assertThat(timeline.customersActive()).isEqualTo(2);
        assertThat(timeline.mostAtOnce()).isEqualTo(2);
    }

    @Test
    void twoJobsOfACustomerAtOnceShow() {
        Timeline timeline = Timeline.of(List.of(new Run("a", 0, 4 * MS), new Run("a", 2 * MS, 6 * MS)));
        assertThat(timeline.rows()).containsExactly("a  #XX" + ".".repeat(57));
    }

    @Test
    void evenAnOverlapThatIsFarShorterThanAColumnShows() {
        Timeline timeline = Timeline.of(List.of(new Run("a", 0, 4 * MS), new Run("a", 4 * MS - 1, 8 * MS)));
        assertThat(timeline.rows().get(0)).contains("X");
    }

    @Test
    void takesTheBusiestTimeAndItsBusiestCustomers() {
        List<Run> runs = new ArrayList<>();
        runs.add(new Run("early", 0, 2 * MS));
        for (long customer = 1; customer <= 7; customer++) {
            for (long job = 0; job < 3 + customer; job++) {
                long start = 1_000 * MS + job * 3 * MS + customer * 100_000;
                runs.add(new Run("c" + customer, start, start + 2 * MS));
            }
        }
        Timeline timeline = Timeline.of(runs);
        assertThat(timeline.rows())
                .extracting(row -> row.substring(0, 2))
                .containsExactly("c3", "c4", "c5", "c6", "c7");
        assertThat(timeline.customersActive()).isEqualTo(7);
        assertThat(timeline.rows())
                .allSatisfy(row -> assertThat(row).hasSize(64).contains("##").doesNotContain("X"));
    }

    @Test
    void withoutRunsThereIsNothingToDraw() {
        assertThat(Timeline.of(List.of()).rows()).isEmpty();
    }

    @Test
    void aRunOfNoLengthIsStillThere() {
        assertThat(Timeline.of(List.of(new Run("a", 5, 5))).rows()).containsExactly("a  #" + ".".repeat(59));
    }
}
