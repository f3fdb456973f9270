package dev.lanekeeper.benchmarks;

import dev.lanekeeper.benchmarks.Rounds.Where;
import dev.lanekeeper.benchmarks.commit.CommitBenchmark;
import dev.lanekeeper.benchmarks.commit.CommitPeer;
import dev.lanekeeper.benchmarks.gate.GateBenchmark;
import dev.lanekeeper.benchmarks.gate.PauseUnderLoad;
import dev.lanekeeper.benchmarks.locks.LockBenchmark;
import dev.lanekeeper.benchmarks.locks.LockPeer;
import dev.lanekeeper.benchmarks.serial.SerialBenchmark;
import dev.lanekeeper.benchmarks.serial.SerialPeer;
import dev.lanekeeper.engine.offset.AheadMapCodec;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.runner.RunnerException;

/** Measures everything and prints the comparison, then what reached its target and what did not. Runs on the main thread. */
public final class Table {
    private static final int HELD_KEYS = 1_000_000;
    private static final int LANES_PASSED = 10_000_000;
    private static final double BYTES_PER_LANE = 160;
    private static final double BYTES_LEFT = 1 << 20;
    private static final double GATE_NANOS = 10;
    private static final double LATE_MILLIS = 10;
    private static final double MAP_TO_BITSET = 0.01;
    private static final double AS_BEFORE = 0.95;

    private final Effort effort;
    private final PrintStream out;
    private final List<Verdict> verdicts = new ArrayList<>();

    private Table(Effort effort, PrintStream out) {
        this.effort = effort;
        this.out = out;
    }

    /** Prints the tables; no arguments, see {@link Effort} for the properties. */
    public static void main(String[] args) throws Exception {
        Effort effort = Effort.of(Boolean.getBoolean("bench.full"), System.getProperty("bench.only", "all"));
        new Table(effort, System.out).print();
    }

    private void print() throws RunnerException, IOException, InterruptedException {
        out.printf(
                "JDK %s, %d cores; medians of %d rounds%n",
                Runtime.version(), Runtime.getRuntime().availableProcessors(), effort.rounds());
        if (effort.tables().contains("locks")) {
            locks();
        }
        if (effort.tables().contains("serial")) {
            serial();
        }
        if (effort.tables().contains("gate")) {
            gate();
        }
        if (effort.tables().contains("memory")) {
            memory();
        }
        if (effort.tables().contains("pause")) {
            pause();
        }
        if (effort.tables().contains("commit")) {
            commit();
        }
        out.println("\nTargets\n");
        verdicts.forEach(out::println);
    }

    private void locks() throws RunnerException {
        Map<Where, Cell> cells = new Rounds(effort).run(LockBenchmark.class, effort.lockThreads());
        out.println("\nHold and release a key\n\n" + Comparison.header());
        for (LockPeer peer : LockPeer.values()) {
            Comparison.lines(cells, peer.name(), peer.title() + (peer.exact() ? "" : " *"))
                    .forEach(out::println);
        }
        out.println("\n* unrelated keys may share a lock");
        verdicts.addAll(Comparison.locks(cells));
    }

    private void serial() throws RunnerException {
        Map<Where, Cell> cells = new Rounds(effort).run(SerialBenchmark.class, effort.submitters());
        out.println("\nSubmit a task of a key and run it, 2 workers; threads are submitters\n\n" + Comparison.header());
        for (SerialPeer peer : SerialPeer.values()) {
            Comparison.lines(cells, peer.name(), peer.title()).forEach(out::println);
        }
        verdicts.addAll(Comparison.serial(cells));
    }

    private void gate() throws RunnerException {
        Map<Where, Cell> cells = new Rounds(effort).run(GateBenchmark.class, List.of(2));
        out.println("\nThe gate while it is open, 2 threads\n\n| what | ns |\n|---|---|");
        cells.forEach((where, cell) -> out.printf(Locale.ROOT, "| %s | %.1f |%n", where.name(), cell.nanos()));
        verdicts.add(Verdict.atMost("the gate's reads in one turn", nanos(cells, "readsOfOneTurn"), GATE_NANOS, " ns"));
    }

    private static double nanos(Map<Where, Cell> cells, String name) {
        return cells.getOrDefault(new Where(name, "", 0, 2), new Cell(Double.NaN, Double.NaN))
                .nanos();
    }

    private void memory() throws IOException, InterruptedException {
        out.printf(
                Locale.ROOT,
                "%nHeap: bytes a key with %,d keys in use at once; MB left after %,d keys, of lanes after %,d%n%n",
                HELD_KEYS,
                effort.passedKeys(),
                LANES_PASSED);
        out.println("| peer | in use | B/key | MB left |\n|---|---|---|---|");
        for (LockPeer peer : LockPeer.values()) {
            // stripes are fewer than keys: holding all keys at once would say nothing about a key
            memory(peer.name(), peer.title(), peer.exact() ? "held" : "", "locksLeft", peer == LockPeer.LANES);
        }
        for (SerialPeer peer : SerialPeer.values()) {
            memory(peer.name(), peer.title(), "waiting", "tasksLeft", peer == SerialPeer.LANES);
        }
    }

    private void memory(String peer, String title, String inUse, String afterwards, boolean lanes)
            throws IOException, InterruptedException {
        System.err.println("heap of " + title);
        double perKey = inUse.isEmpty() ? Double.NaN : Readings.bytes(inUse, peer, HELD_KEYS) / (double) HELD_KEYS;
        long left = Readings.bytes(afterwards, peer, lanes ? LANES_PASSED : effort.passedKeys());
        out.printf(
                Locale.ROOT,
                "| %s | %s | %s | %.2f |%n",
                title,
                inUse,
                inUse.isEmpty() ? "" : String.format(Locale.ROOT, "%.0f", perKey),
                left / 1048576.0);
        if (lanes) {
            verdicts.add(Verdict.atMost("a lane that is " + inUse, perKey, BYTES_PER_LANE, " B"));
            verdicts.add(Verdict.atMost("left by 10M keys, " + afterwards, (double) left, BYTES_LEFT, " B"));
        }
    }

    private void pause() {
        System.err.println("pauses under load");
        PauseUnderLoad.Outcome outcome = new PauseUnderLoad(PauseUnderLoad.Settings.full()).run();
        double longest = millis(outcome.longestBody());
        double p99 = millis(outcome.acquired().quantileNanos(0.99));
        double late99 = millis(outcome.late().quantileNanos(0.99));
        out.println(
                "\n200 pauses under 64 threads, 100,000 keys, bodies that block for 1 ms\n\n| what | value |\n|---|---|");
        row("acquired, p50 ms", millis(outcome.acquired().quantileNanos(0.5)));
        row("acquired, p99 ms", p99);
        row("after the end of the last body, p99 ms", late99);
        row("longest body, ms", longest);
        row("tasks/s before", outcome.before());
        row("tasks/s after", outcome.after());
        row("tasks", (double) outcome.executed());
        verdicts.add(Verdict.atMost("pause acquired, p99", p99, longest + LATE_MILLIS, " ms"));
        verdicts.add(Verdict.atMost("pause after the end of the last body, p99", late99, LATE_MILLIS, " ms"));
        verdicts.add(Verdict.atMost("bodies inside a pause", (double) outcome.inside(), 0, ""));
        verdicts.add(Verdict.atMost("tasks lost", (double) (outcome.submitted() - outcome.executed()), 0, ""));
        verdicts.add(Verdict.atMost("tasks out of order", (double) outcome.disordered(), 0, ""));
        verdicts.add(Verdict.atLeast("throughput after / before", outcome.after() / outcome.before(), AS_BEFORE, ""));
    }

    private void commit() throws RunnerException {
        Map<Where, Cell> cells = new Rounds(effort).run(CommitBenchmark.class, List.of(1));
        out.printf(
                Locale.ROOT,
                "%nOne commit's map of a partition, %,d records done behind one that is stuck%n%n",
                CommitBenchmark.DONE);
        out.println("| peer | ns | B | characters |\n|---|---|---|---|");
        for (CommitPeer peer : CommitPeer.values()) {
            Cell cell = map(cells, peer);
            out.printf(
                    Locale.ROOT,
                    "| %s | %,.0f | %,.0f | %,d |%n",
                    peer.title(),
                    cell.nanos(),
                    cell.bytes(),
                    characters(peer));
        }
        double ratio = map(cells, CommitPeer.LANES).nanos()
                / map(cells, CommitPeer.BITSET).nanos();
        verdicts.add(Verdict.atMost("a commit's map / bitset over the range", ratio, MAP_TO_BITSET, ""));
        verdicts.add(Verdict.atMost(
                "a commit's map", (double) characters(CommitPeer.LANES), AheadMapCodec.MAX_CHARACTERS, " characters"));
    }

    private static Cell map(Map<Where, Cell> cells, CommitPeer peer) {
        return cells.getOrDefault(new Where("map", peer.name(), 0, 1), new Cell(Double.NaN, Double.NaN));
    }

    private static int characters(CommitPeer peer) {
        return peer.create(CommitBenchmark.DONE).map().length();
    }

    private void row(String what, double value) {
        out.printf(Locale.ROOT, "| %s | %,.2f |%n", what, value);
    }

    private static double millis(long nanos) {
        return nanos / 1e6;
    }
}
