package dev.lanekeeper.benchmarks.peers;

import dev.lanekeeper.benchmarks.Verdict;
import dev.lanekeeper.benchmarks.peers.contenders.Contender;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What the engine wants to reach, held against a report. What was not run is left out. Confined to one thread. */
final class PeersTargets {
    private final Report report;
    private final List<Verdict> verdicts = new ArrayList<>();

    private PeersTargets(Report report) {
        this.report = report;
    }

    static List<Verdict> of(Report report) {
        PeersTargets targets = new PeersTargets(report);
        Contender ours = Contender.LANEKEEPER;
        targets.ratio("W1, to the bare consumer", targets.rate("W1", ours), targets.rate("W1", Contender.BARE), 0.7);
        targets.ratio("W1, to the best other in order of keys", targets.rate("W1", ours), report.bestOther("W1"), 1.5);
        targets.atMost("W1, CPU per million records", targets.figure("W1", ours, Reading::cpuSeconds), 2.6, " s");
        targets.atMost("W1, allocated per record", targets.figure("W1", ours, Reading::bytes), 1_100, " B");
        targets.ratio("W1, 100k keys to 100 keys", targets.rate("W1", ours), targets.rate("W1-100", ours), 0.8);
        targets.atLeast("W2", targets.rate("W2", ours), 46_000, "/s");
        targets.ratio(
                "W2:vt, to the chain of futures:vt",
                targets.rate("W2", Contender.LANEKEEPER_VT),
                targets.rate("W2", Contender.KEY_CHAIN_VT),
                1.2);
        targets.atLeast("W3", targets.rate("W3", ours), 6_100, "/s");
        targets.atLeast("W4", targets.rate("W4", ours), 72_000, "/s");
        targets.ratio(
                "W5, to the chain of futures", targets.rate("W5", ours), targets.rate("W5", Contender.KEY_CHAIN), 1.2);
        targets.atMost("W7, p99", targets.figure("W7", ours, Reading::p99), 30, " ms");
        targets.atMost(
                "p99 of cold keys beside a hot one, to that without it",
                targets.figure("W7-hot", ours, Reading::p99) / targets.figure("W7", ours, Reading::p99),
                1.2,
                "");
        return targets.verdicts;
    }

    private double rate(String workload, Contender contender) {
        return figure(workload, contender, Reading::rate);
    }

    private double figure(String workload, Contender contender, ToDoubleFunction<Reading> figure) {
        return figure.applyAsDouble(report.median(workload, contender));
    }

    private void ratio(String what, double ours, double theirs, double limit) {
        atLeast(what, ours / theirs, limit, "");
    }

    private void atLeast(String what, double reading, double limit, String unit) {
        if (!Double.isNaN(reading)) {
            verdicts.add(Verdict.atLeast(what, reading, limit, unit));
        }
    }

    private void atMost(String what, double reading, double limit, String unit) {
        if (!Double.isNaN(reading)) {
            verdicts.add(Verdict.atMost(what, reading, limit, unit));
        }
    }
}
