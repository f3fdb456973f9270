package dev.lanekeeper.benchmarks.commit;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Time to put one partition's part of a commit into text, with millions of records done behind one that is stuck. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CommitBenchmark {
    /** How many are done. */
    public static final int DONE = 5_000_000;

    @Param
    public CommitPeer peer = CommitPeer.LANES;

    private DoneBehind behind = CommitPeer.LANES.create();

    @Setup
    public void setup() {
        behind = peer.create(DONE);
    }

    @Benchmark
    public String map() {
        return behind.map();
    }
}
