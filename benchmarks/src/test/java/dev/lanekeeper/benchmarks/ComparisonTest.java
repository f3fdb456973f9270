package dev.lanekeeper.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.lanekeeper.benchmarks.Rounds.Where;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is said about numbers follows from them. */
class ComparisonTest {
    @Test
    void a_median_is_the_value_in_the_middle() {
        Cell median = Cell.median(List.of(new Cell(5, 1), new Cell(900, 2), new Cell(1, 3)));
        assertThat(median).isEqualTo(new Cell(5, 2));
        assertThat(Cell.median(List.of(new Cell(1, 0), new Cell(3, 0))).nanos()).isEqualTo(2);
    }

    @Test
    void a_hold_must_take_half_of_the_lock_with_one_thread_and_a_third_with_more() {
        assertThat(Comparison.locks(holds(49, 64, 1))).allMatch(Verdict::reached);
        assertThat(Comparison.locks(holds(51, 64, 1))).anyMatch(verdict -> !verdict.reached());
        assertThat(Comparison.locks(holds(49, 64, 2))).anyMatch(verdict -> !verdict.reached());
        assertThat(Comparison.locks(holds(33, 64, 2))).allMatch(Verdict::reached);
        assertThat(Comparison.locks(holds(33, 65, 2))).anyMatch(verdict -> !verdict.reached());
    }

    @Test
    void a_task_must_be_cheaper_than_with_the_best_peer_that_keeps_order() {
        assertThat(Comparison.serial(tasks(99, 100))).allMatch(Verdict::reached);
        assertThat(Comparison.serial(tasks(101, 100))).anyMatch(verdict -> !verdict.reached());
        assertThat(Comparison.serial(tasks(99, 101))).anyMatch(verdict -> !verdict.reached());
    }

    @Test
    void a_cell_that_was_not_measured_reaches_nothing() {
        Map<Where, Cell> alone = Map.of(new Where("enterAndLeave", "LANES", 1, 1), new Cell(1, 0));
        assertThat(Comparison.locks(alone)).anyMatch(verdict -> !verdict.reached());
    }

    @Test
    void a_miss_says_by_how_much() {
        Verdict missed = Verdict.atMost("a task", 120, 100, " B");
        assertThat(missed).hasToString("MISSED   a task: 120.00 B, target <= 100.00 B (x1.20)");
        assertThat(Verdict.atLeast("throughput", 1, 0.95, "")).hasToString("reached  throughput: 1.00, target >= 0.95");
    }

    @Test
    void a_table_that_does_not_exist_is_refused_by_name() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Effort.of(false, "locks,speed"))
                .withMessage("bench.only knows no table speed; there are: commit, gate, locks, memory, pause, serial");
        assertThat(Effort.of(true, "pause").tables()).containsExactly("pause");
        assertThat(Effort.of(false, "all").tables()).isEqualTo(Effort.ALL);
    }

    private static Map<Where, Cell> holds(double nanos, double bytes, int threads) {
        return Map.of(
                new Where("enterAndLeave", "LANES", 1, threads), new Cell(nanos, bytes),
                new Where("enterAndLeave", "REF_COUNTED", 1, threads), new Cell(100, 120));
    }

    private static Map<Where, Cell> tasks(double nanos, double bytes) {
        return Map.of(
                new Where("submitAndRun", "LANES", 1, 1), new Cell(nanos, bytes),
                new Where("submitAndRun", "FUTURE_CHAIN", 1, 1), new Cell(200, 200),
                new Where("submitAndRun", "JANO7", 1, 1), new Cell(100, 200),
                new Where("submitAndRun", "GUAVA", 1, 1), new Cell(300, 200),
                new Where("submitAndRun", "POOL", 1, 1), new Cell(10, 200));
    }
}
