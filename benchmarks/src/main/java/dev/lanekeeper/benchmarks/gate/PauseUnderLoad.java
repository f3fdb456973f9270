package dev.lanekeeper.benchmarks.gate;

import dev.lanekeeper.lanes.Lanes;
import dev.lanekeeper.lanes.Pause;
import dev.lanekeeper.lanes.PauseMode;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/**
 * Pauses lanes that are as busy as their threads allow, and looks whether anything runs inside, is lost, or is slower
 * afterwards. One run a time; the calling thread asks for the pauses.
 */
public final class PauseUnderLoad {
    private final Settings settings;

    /**
     * What to do.
     *
     * @param threads that run tasks
     * @param keys over which tasks are spread
     * @param body how long a task blocks
     * @param pauses how many
     * @param rest how long each pause is held, and how long the load runs between two
     * @param window how long throughput is counted, before the first pause and after the last
     */
    public record Settings(int threads, int keys, Duration body, int pauses, Duration rest, Duration window) {
        public Settings {
            if (threads < 1 || keys < 1 || pauses < 1) {
                throw new IllegalArgumentException(
                        "threads, keys and pauses must be at least 1: " + threads + ", " + keys + ", " + pauses);
            }
        }

        /** 64 threads, 100,000 keys, 1 ms bodies, 200 pauses. */
        public static Settings full() {
            return new Settings(64, 100_000, Duration.ofMillis(1), 200, Duration.ofMillis(3), Duration.ofSeconds(3));
        }
    }

    /** How this load is stopped; replaced by tests, to see that a bad pause is noticed. */
    @FunctionalInterface
    interface Pauser {
        Pause pause(Lanes<Integer> lanes);
    }

    /**
     * What came out. Times in nanoseconds.
     *
     * @param acquired from the request of each pause to its grant
     * @param late from the end of the last body to the grant
     * @param longestBody the longest that any body lasted, which 1 ms is not when threads outnumber cores
     * @param inside bodies that ran while a pause was held
     * @param submitted tasks handed in
     * @param executed tasks that ran
     * @param disordered tasks that ran before an earlier one of their key, or beside it
     * @param before tasks a second before the first pause
     * @param after tasks a second after the last one
     */
    public record Outcome(
            Durations acquired,
            Durations late,
            long longestBody,
            long inside,
            long submitted,
            long executed,
            long disordered,
            double before,
            double after) {}

    public PauseUnderLoad(Settings settings) {
        this.settings = settings;
    }

    /** Runs it all. */
    public Outcome run() {
        return run(
                lanes -> lanes.pause(PauseMode.RUNNING, Duration.ofSeconds(30)).join());
    }

    Outcome run(Pauser pauser) {
        ExecutorService workers = Executors.newFixedThreadPool(settings.threads());
        Lanes<Integer> lanes = Lanes.<Integer>builder().executor(workers).build();
        try (Load load = new Load(lanes, settings)) {
            load.start();
            LockSupport.parkNanos(settings.window().toNanos()); // until compiled
            double before = load.tasksPerSecond(settings.window());
            long[] acquired = new long[settings.pauses()];
            long[] late = new long[settings.pauses()];
            long inside = 0;
            for (int i = 0; i < settings.pauses(); i++) {
                LockSupport.parkNanos(settings.rest().toNanos());
                long asked = System.nanoTime();
                Pause pause = pauser.pause(lanes);
                long granted = System.nanoTime();
                acquired[i] = granted - asked;
                late[i] = granted - Math.max(asked, load.lastEnd(asked));
                inside += load.bodiesWithin(settings.rest());
                pause.close();
            }
            double after = load.tasksPerSecond(settings.window());
            load.stop();
            lanes.close();
            return new Outcome(
                    new Durations(acquired),
                    new Durations(late),
                    load.longestBody(),
                    inside,
                    load.submitted(),
                    load.executed(),
                    load.disordered(),
                    before,
                    after);
        } finally {
            workers.shutdown();
        }
    }
}
