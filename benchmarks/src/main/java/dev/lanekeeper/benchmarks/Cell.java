package dev.lanekeeper.benchmarks;

import java.util.Comparator;
import java.util.List;

/**
 * What one measurement came to.
 *
 * @param nanos per operation
 * @param bytes allocated per operation
 */
record Cell(double nanos, double bytes) {
    /** The median of each, over rounds. */
    static Cell median(List<Cell> rounds) {
        return new Cell(
                middle(rounds.stream().map(Cell::nanos).toList()),
                middle(rounds.stream().map(Cell::bytes).toList()));
    }

    private static double middle(List<Double> values) {
        List<Double> sorted = values.stream().sorted(Comparator.naturalOrder()).toList();
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }
}
