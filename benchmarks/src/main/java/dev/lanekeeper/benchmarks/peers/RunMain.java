package dev.lanekeeper.benchmarks.peers;

import dev.lanekeeper.benchmarks.peers.contenders.Peer;
import dev.lanekeeper.benchmarks.peers.contenders.Race;
import java.util.Locale;

/**
 * The JVM of one run: warms a contender up, has it consume the topic, and prints the reading. Prints {@link #READY} when it
 * consumes, for records that come at a pace.
 */
public final class RunMain {
    static final String READY = "READY";

    private static final long LONGEST_WARMUP_SECONDS = 8;
    private static final long LONGEST_RUN_SECONDS = 15;

    private final Run run;

    private RunMain(Run run) {
        this.run = run;
    }

    /** See {@link Run#of} for the arguments. */
    public static void main(String[] args) throws Exception {
        Reading reading;
        try {
            reading = new RunMain(Run.of(args)).run();
        } catch (Exception | LinkageError e) { // foreign code; the table says what became of it
            reading = Reading.failed(e.toString());
        }
        System.out.println(reading.line());
        System.out.flush();
        Runtime.getRuntime()
                .exit(0); // whatever threads a contender left behind; a profiler may have something to write
    }

    private Reading run() throws Exception {
        try (Topics topics = new Topics(run.bootstrap())) {
            Probe warmup = new Probe(run.workload().warmingUp(), run.spinsPerMicro());
            Peer warm = start(run.warmingUp(), run.group() + "-warm", warmup);
            if (!warmup.awaitAll(LONGEST_WARMUP_SECONDS) && warmup.done() == 0) {
                return Reading.failed("handled nothing");
            }
            warm.close();
            System.gc();
            Probe probe = new Probe(run.workload(), run.spinsPerMicro());
            Meter meter = Meter.begin(run.brokerPid());
            Peer peer = start(run.topic(), run.group(), probe);
            System.out.println(READY);
            System.out.flush();
            boolean finished = probe.awaitAll(LONGEST_RUN_SECONDS);
            Meter.Cost cost = meter.cost();
            double seconds = probe.seconds();
            int done = probe.done();
            peer.close();
            return new Reading(
                    done / seconds,
                    cost.cpuSeconds() * 1e6 / done,
                    cost.bytes() / done,
                    Meter.peakMegabytes(),
                    probe.latencyMillis(0.5),
                    probe.latencyMillis(0.99),
                    cost.foreignCores(),
                    finished
                            ? ""
                            : String.format(
                                    Locale.ROOT,
                                    "cut short at %.0f%%",
                                    done * 100.0 / run.workload().records()),
                    fault(finished, probe, topics));
        }
    }

    private Peer start(String topic, String group, Probe probe) {
        Peer peer = run.contender().make();
        Workload workload = run.workload();
        peer.start(new Race(
                run.bootstrap(),
                topic,
                group,
                workload.partitions(),
                workload.concurrency(),
                probe.asynchronous(),
                probe));
        return peer;
    }

    /** Why the run does not count: a figure of somebody who breaks the order, or loses count, says nothing. */
    private String fault(boolean finished, Probe probe, Topics topics) throws Exception {
        OrderLedger ledger = probe.ledger();
        if (ledger.overlaps() + ledger.disorders() > 0) {
            return "order broken: " + ledger.overlaps() + " overlaps, " + ledger.disorders() + " out of turn";
        }
        if (ledger.comparisons() == 0) {
            return "no two records of a key were compared";
        }
        long committed = topics.committed(run.group());
        if (finished && committed != run.workload().records()) {
            return "committed " + committed + " of " + run.workload().records();
        }
        return "";
    }
}
