package dev.lanekeeper.benchmarks.peers;

import dev.lanekeeper.benchmarks.peers.contenders.Peer;
import dev.lanekeeper.benchmarks.peers.contenders.Race;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

/**
 * The JVM of a run in which one key is stuck. In its first life, that key's first record never ends; when all others have, or
 * it is late, nothing may end any more, what has ended is written down, and the process waits to be killed. In its second
 * life nothing is stuck, and what ends is held against what had.
 */
public final class StuckMain implements Race.Work {
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long SETTLING_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final Run run;
    private final Workload workload;
    private final Path doneFile;
    private final boolean restarted;
    private final int stuckKey;
    private final OrderLedger ledger;

    /** How often each record ended in this life. */
    private final AtomicIntegerArray ended;

    private volatile boolean frozen;
    private volatile long lastEnd = System.nanoTime();

    private StuckMain(Run run, Path doneFile, boolean restarted) {
        this.run = run;
        this.workload = run.workload();
        this.doneFile = doneFile;
        this.restarted = restarted;
        this.stuckKey = workload.stuckKey();
        this.ledger = new OrderLedger(workload.keys(), restarted);
        this.ended = new AtomicIntegerArray(workload.records());
    }

    /** The arguments of {@link Run#of}, then the file for what is done, then anything for the second life. */
    public static void main(String[] args) throws Exception {
        StuckMain life = new StuckMain(Run.of(args), Path.of(args[8]), args.length > 9);
        Reading reading;
        try {
            reading = life.restarted ? life.second() : life.first();
        } catch (Exception | LinkageError e) { // foreign code; the table says what became of it
            reading = Reading.failed(e.toString());
        }
        System.out.println(reading.line());
        System.out.flush();
        while (!life.restarted) {
            LockSupport.park(); // until it is killed
        }
        Runtime.getRuntime().exit(0);
    }

    private Peer start() {
        Peer peer = run.contender().make();
        peer.start(new Race(
                run.bootstrap(), run.topic(), run.group(), workload.partitions(), workload.concurrency(), false, this));
        return peer;
    }

    private Reading first() throws Exception {
        Meter meter = Meter.begin(run.brokerPid());
        long begin = System.nanoTime();
        Peer unused = start();
        int others = 0;
        for (int key : workload.keySequence()) {
            others += key == stuckKey ? 0 : 1;
        }
        while (System.nanoTime() - begin < LONGEST_NANOS
                && !(done().cardinality() == others && System.nanoTime() - lastEnd > SETTLING_NANOS)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
        frozen = true;
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300)); // what was about to end has
        Meter.Cost cost = meter.cost();
        BitSet done = done();
        Files.write(doneFile, done.toByteArray());
        double none = Double.NaN;
        return new Reading(
                none,
                cost.cpuSeconds() * 1e6 / Math.max(1, done.cardinality()),
                cost.bytes() / Math.max(1, done.cardinality()),
                Meter.peakMegabytes(),
                none,
                none,
                cost.foreignCores(),
                String.format(Locale.ROOT, "%,d of %,d others done; ", done.cardinality(), others),
                disorder());
    }

    private Reading second() throws Exception {
        BitSet before = BitSet.valueOf(Files.readAllBytes(doneFile));
        Peer peer = start();
        BitSet missing = all();
        while (System.nanoTime() - lastEnd < (missing.isEmpty() ? SETTLING_NANOS : LONGEST_NANOS)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            missing = all();
            missing.andNot(before);
            missing.andNot(done());
        }
        peer.close();
        BitSet again = done();
        again.and(before);
        double none = Double.NaN;
        return new Reading(
                none,
                none,
                none,
                none,
                none,
                none,
                none,
                String.format(
                        Locale.ROOT,
                        "after the kill %,d repeated, %,d lost",
                        again.cardinality(),
                        missing.cardinality()),
                disorder());
    }

    private String disorder() {
        long faults = ledger.overlaps() + ledger.disorders();
        return faults == 0 ? "" : "order broken " + faults + " times";
    }

    private BitSet done() {
        BitSet done = new BitSet(ended.length());
        for (int i = 0; i < ended.length(); i++) {
            if (ended.get(i) > 0) {
                done.set(i);
            }
        }
        return done;
    }

    private BitSet all() {
        BitSet all = new BitSet(ended.length());
        all.set(0, ended.length());
        return all;
    }

    @Override
    public void handle(byte[] value) {
        Stamp stamp = Stamp.of(value);
        ledger.begun(stamp.key(), stamp.position());
        while (frozen || (!restarted && stamp.key() == stuckKey)) {
            LockSupport.parkNanos(LONGEST_NANOS);
        }
        ledger.ended(stamp.key(), stamp.position());
        ended.incrementAndGet(stamp.index());
        lastEnd = System.nanoTime();
    }

    @Override
    public CompletableFuture<?> handleAsync(byte[] value) {
        throw new UnsupportedOperationException("the stuck key blocks its thread");
    }
}
