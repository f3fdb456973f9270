package dev.lanekeeper.benchmarks.locks;

import dev.lanekeeper.benchmarks.Keys;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Time to enter and leave the section of a key drawn at random, nanoseconds a thread. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LockBenchmark {
    @Param
    public LockPeer peer = LockPeer.LANES;

    @Param({"1", "1000", "1000000"})
    public int keys = 1;

    private String[] names = {};
    private KeyLock<?> lock = LockPeer.LANES.create();

    @Setup
    public void setup() {
        names = Keys.of(keys);
        lock = peer.create();
    }

    /** The section: too short to matter, but not to be optimised away. */
    @State(Scope.Thread)
    public static class Visits implements Runnable {
        private long count;

        @Override
        public void run() {
            count++;
        }

        long count() {
            return count;
        }
    }

    @Benchmark
    public void enterAndLeave(Visits visits) {
        lock.run(names[keys == 1 ? 0 : ThreadLocalRandom.current().nextInt(keys)], visits);
    }
}
