package dev.lanekeeper.benchmarks;

import dev.lanekeeper.benchmarks.Rounds.Where;
import dev.lanekeeper.benchmarks.locks.LockPeer;
import dev.lanekeeper.benchmarks.serial.SerialPeer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Turns cells into lines of a table, and into verdicts. Stateless. */
final class Comparison {
    private static final int BYTES_PER_HOLD = 64;
    private static final int BYTES_PER_TASK = 100;

    private Comparison() {}

    /** The peer, then per number of threads and keys: nanoseconds, bytes, and the time as a multiple of that of the lanes. */
    static List<String> lines(Map<Where, Cell> cells, String peer, String title) {
        List<String> lines = new ArrayList<>();
        cells.forEach((where, cell) -> {
            if (where.peer().equals(peer)) {
                Cell lanes = lanes(cells, where);
                lines.add(String.format(
                        Locale.ROOT,
                        "| %-28s | %,9d | %7d | %8.0f | %6.0f | %6.2f |",
                        title,
                        where.keys(),
                        where.threads(),
                        cell.nanos(),
                        cell.bytes(),
                        cell.nanos() / lanes.nanos()));
            }
        });
        return lines;
    }

    static String header() {
        return "| peer                         |      keys | threads |       ns |      B | to lanes |\n"
                + "|---|---|---|---|---|---|";
    }

    /** A hold takes half the time of the ref-counted lock with one thread, a third with more, and allocates little. */
    static List<Verdict> locks(Map<Where, Cell> cells) {
        List<Verdict> verdicts = new ArrayList<>();
        cells.forEach((where, cell) -> {
            if (where.peer().equals(LockPeer.LANES.name())) {
                double ratio = cell.nanos() / peer(cells, where, LockPeer.REF_COUNTED.name(), Cell::nanos);
                double limit = where.threads() == 1 ? 1 / 2.0 : 1 / 3.0;
                verdicts.add(Verdict.atMost("hold / ref-counted lock, " + at(where), ratio, limit, ""));
                verdicts.add(Verdict.atMost("hold, " + at(where), cell.bytes(), BYTES_PER_HOLD, " B"));
            }
        });
        return verdicts;
    }

    /** A submitted task takes less time than with any peer that keeps the order of each key, and allocates little. */
    static List<Verdict> serial(Map<Where, Cell> cells) {
        List<Verdict> verdicts = new ArrayList<>();
        cells.forEach((where, cell) -> {
            if (where.peer().equals(SerialPeer.LANES.name())) {
                SerialPeer best = bestExact(cells, where);
                double ratio = cell.nanos() / peer(cells, where, best.name(), Cell::nanos);
                verdicts.add(Verdict.atMost("submit / " + best.title() + ", " + at(where), ratio, 1, ""));
                verdicts.add(Verdict.atMost("submit, " + at(where), cell.bytes(), BYTES_PER_TASK, " B"));
            }
        });
        return verdicts;
    }

    private static SerialPeer bestExact(Map<Where, Cell> cells, Where where) {
        SerialPeer best = SerialPeer.FUTURE_CHAIN;
        for (SerialPeer peer : SerialPeer.values()) {
            if (peer.exact()
                    && peer != SerialPeer.LANES
                    && peer(cells, where, peer.name(), Cell::nanos) < peer(cells, where, best.name(), Cell::nanos)) {
                best = peer;
            }
        }
        return best;
    }

    private static Cell lanes(Map<Where, Cell> cells, Where where) {
        return cell(cells, where, "LANES");
    }

    private static double peer(Map<Where, Cell> cells, Where where, String peer, ToDoubleFunction<Cell> reading) {
        return reading.applyAsDouble(cell(cells, where, peer));
    }

    private static Cell cell(Map<Where, Cell> cells, Where where, String peer) {
        return cells.getOrDefault(
                new Where(where.name(), peer, where.keys(), where.threads()), new Cell(Double.NaN, Double.NaN));
    }

    private static String at(Where where) {
        return String.format(Locale.ROOT, "%,d key(s), %d thread(s)", where.keys(), where.threads());
    }
}
