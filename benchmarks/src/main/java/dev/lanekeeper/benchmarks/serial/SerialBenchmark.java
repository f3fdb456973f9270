package dev.lanekeeper.benchmarks.serial;

import dev.lanekeeper.benchmarks.Keys;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Time to submit a task of a key drawn at random and to have it run on one of two workers, nanoseconds a task. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SerialBenchmark {
    static final int TASKS = 1000;
    private static final int WORKERS = 2;

    @Param
    public SerialPeer peer = SerialPeer.LANES;

    @Param({"1", "1000", "1000000"})
    public int keys = 1;

    private String[] names = {};
    private ExecutorService workers = Executors.newFixedThreadPool(WORKERS);
    private KeyExecutor executor = peer.on(workers);

    @Setup
    public void setup() {
        names = Keys.of(keys);
        workers.shutdown();
        workers = Executors.newFixedThreadPool(WORKERS);
        executor = peer.on(workers);
    }

    @TearDown
    public void tearDown() {
        workers.shutdownNow();
    }

    /** The tasks of one invocation, which all are this one: the last of them lets the submitter go on. */
    @State(Scope.Thread)
    public static class Batch implements Task {
        private final AtomicInteger left = new AtomicInteger();
        private final Semaphore done = new Semaphore(0);

        @Override
        public void run() {
            if (left.decrementAndGet() == 0) {
                done.release();
            }
        }

        int left() {
            return left.get();
        }
    }

    /** Submits a batch and waits until all of it has run. */
    @Benchmark
    @OperationsPerInvocation(TASKS)
    public void submitAndRun(Batch batch) {
        batch.left.set(TASKS);
        ThreadLocalRandom random = ThreadLocalRandom.current();
        for (int i = 0; i < TASKS; i++) {
            executor.submit(names[keys == 1 ? 0 : random.nextInt(keys)], batch);
        }
        batch.done.acquireUninterruptibly();
    }
}
