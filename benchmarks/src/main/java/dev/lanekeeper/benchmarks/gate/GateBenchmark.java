package dev.lanekeeper.benchmarks.gate;

import dev.lanekeeper.benchmarks.Keys;
import dev.lanekeeper.lanes.Hold;
import dev.lanekeeper.lanes.Lanes;
import dev.lanekeeper.lanes.Pause;
import dev.lanekeeper.lanes.PauseMode;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What the gate that pauses close costs while it is open.
 *
 * <p>Lanes without a gate don't exist, so it can't be left out from here. What can be measured: the reads that a turn makes of
 * a word like the gate's, alone; and a hold in lanes that were never paused beside one in lanes that were, often.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class GateBenchmark {
    private static final int KEYS = 1000;
    private static final int PAUSES = 1000;

    private final String[] names = Keys.of(KEYS);
    private final Lanes<String> never =
            Lanes.<String>builder().executor(Runnable::run).build();
    private final Lanes<String> often =
            Lanes.<String>builder().executor(Runnable::run).build();

    private volatile boolean closed;

    /** Pauses and reopens, many times. */
    @Setup
    public void setup() {
        for (int i = 0; i < PAUSES; i++) {
            Pause pause = often.pause(PauseMode.RUNNING, Duration.ofSeconds(10)).join();
            pause.close();
        }
    }

    /** The word of the gate is read once when a ticket starts and once when it ends. */
    @Benchmark
    public int readsOfOneTurn() {
        int start = closed ? 1 : 0;
        int end = closed ? 2 : 0;
        return start + end;
    }

    @Benchmark
    public void holdNeverPaused() throws InterruptedException {
        hold(never);
    }

    @Benchmark
    public void holdOftenPaused() throws InterruptedException {
        hold(often);
    }

    private void hold(Lanes<String> lanes) throws InterruptedException {
        Hold hold = lanes.hold(names[ThreadLocalRandom.current().nextInt(KEYS)]);
        hold.close();
    }
}
