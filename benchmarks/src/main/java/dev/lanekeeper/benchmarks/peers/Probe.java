package dev.lanekeeper.benchmarks.peers;

import dev.lanekeeper.benchmarks.peers.Workload.Kind;
import dev.lanekeeper.benchmarks.peers.contenders.Race;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** The handler under test: does the workload's work, keeps the ledger, and takes the time. Thread-safe. */
final class Probe implements Race.Work {
    /** While nothing has ended yet. */
    private static final long NEVER = 0;

    private final Workload workload;
    private final long spinsPerMicro;
    private final OrderLedger ledger;
    private final AtomicInteger done = new AtomicInteger();
    private final CountDownLatch all = new CountDownLatch(1);
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "probe-timer");
        thread.setDaemon(true);
        return thread;
    });

    /** From when each record was due until it was handled; empty unless records come at a pace. */
    private final long[] latencyNanos;

    private volatile long firstNanos = NEVER;
    private volatile long lastNanos = NEVER;

    @SuppressWarnings("unused") // or the loop whose result it is would be left out
    private volatile long spun;

    Probe(Workload workload, long spinsPerMicro) {
        this.workload = workload;
        this.spinsPerMicro = spinsPerMicro;
        this.ledger = new OrderLedger(workload.keys());
        this.latencyNanos = new long[workload.paced() ? workload.records() : 0];
    }

    @Override
    public void handle(byte[] value) {
        Stamp stamp = begin(value);
        switch (workload.kind()) {
            case BLOCK, ASYNC -> block(); // without an asynchronous form there is only this
            case COMPUTE -> spun = spin(workload.micros() * spinsPerMicro);
            case NOTHING, STUCK -> {}
        }
        end(stamp);
    }

    @Override
    public CompletableFuture<?> handleAsync(byte[] value) {
        Stamp stamp = begin(value);
        CompletableFuture<Void> ended = new CompletableFuture<>();
        var unused = timer.schedule(
                () -> {
                    end(stamp);
                    ended.complete(null);
                },
                workload.micros(),
                TimeUnit.MICROSECONDS);
        return ended;
    }

    private Stamp begin(byte[] value) {
        if (firstNanos == NEVER) {
            firstNanos = System.nanoTime();
        }
        Stamp stamp = Stamp.of(value);
        ledger.begun(stamp.key(), stamp.position());
        return stamp;
    }

    private void end(Stamp stamp) {
        ledger.ended(stamp.key(), stamp.position());
        if (latencyNanos.length > 0) {
            latencyNanos[stamp.index()] = System.nanoTime() - stamp.dueNanos();
        }
        if (done.incrementAndGet() == workload.records()) {
            lastNanos = System.nanoTime();
            all.countDown();
        }
    }

    private void block() {
        long until = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(workload.micros());
        for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static long spin(long times) {
        long x = 0x9E3779B97F4A7C15L;
        for (long i = 0; i < times; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        return x;
    }

    /** How often {@link #spin} turns in a microsecond on this machine: so that work is the same for all, whatever else runs. */
    static long calibrate() {
        long turns = 20_000_000;
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 8; i++) {
            long begin = System.nanoTime();
            if (spin(turns) == 0) { // never, but the compiler does not know that and has to do it
                throw new IllegalStateException("a shift register came to 0");
            }
            best = Math.min(best, System.nanoTime() - begin);
        }
        return Math.max(1, turns * 1_000 / best);
    }

    boolean awaitAll(long seconds) throws InterruptedException {
        return all.await(seconds, TimeUnit.SECONDS);
    }

    int done() {
        return done.get();
    }

    OrderLedger ledger() {
        return ledger;
    }

    /** From the first record's begin to the last one's end, or to now. */
    double seconds() {
        return ((lastNanos == NEVER ? System.nanoTime() : lastNanos) - firstNanos) / 1e9;
    }

    /** Of the records that are not of a hot key, after a fifth that counts as warming up; milliseconds, {@code NaN} without a pace. */
    double latencyMillis(double quantile) {
        int[] keys = workload.keySequence();
        long[] sorted = IntStream.range(latencyNanos.length / 5, latencyNanos.length)
                .filter(index -> workload.hotShare() == 0 || keys[index] != 0)
                .mapToLong(index -> latencyNanos[index])
                .toArray();
        Arrays.sort(sorted);
        return sorted.length == 0 ? Double.NaN : sorted[(int) (quantile * (sorted.length - 1))] / 1e6;
    }

    boolean asynchronous() {
        return workload.kind() == Kind.ASYNC;
    }
}
