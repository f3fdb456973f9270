package dev.lanekeeper.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * An executor without a thread: tasks wait until a test runs them, one at a time, in whatever order it wants to see.
 * Adding is thread-safe; tasks run on the thread that steps, and what they throw reaches it.
 */
public final class SteppingExecutor implements Executor {
    private static final int MOST_STEPS = 1_000_000;

    private final List<Runnable> queue = new ArrayList<>();

    @Override
    public void execute(Runnable command) {
        synchronized (queue) {
            queue.add(command);
        }
    }

    /** How many tasks wait. */
    public int queued() {
        synchronized (queue) {
            return queue.size();
        }
    }

    /** Runs the task that has waited longest; answers whether there was one. */
    public boolean runNext() {
        return run(take(queued -> 0));
    }

    /** Runs any one of the waiting tasks; answers whether there was one. */
    public boolean runRandom(RandomGenerator random) {
        return run(take(random::nextInt));
    }

    /**
     * Runs tasks, also those that they add, until none waits; answers how many.
     *
     * @throws IllegalStateException after a million tasks: they seem to add each other for ever
     */
    public int runAll() {
        return runAll(this::runNext);
    }

    /** Runs tasks in any order until none waits; otherwise as {@link #runAll()}. */
    public int runAllRandom(RandomGenerator random) {
        return runAll(() -> runRandom(random));
    }

    private static int runAll(BooleanSupplier step) {
        int steps = 0;
        while (step.getAsBoolean()) {
            if (++steps == MOST_STEPS) {
                throw new IllegalStateException("no end after " + MOST_STEPS + " tasks");
            }
        }
        return steps;
    }

    /** Picks one of a number of tasks. */
    private interface Pick {
        int of(int queued);
    }

    private @Nullable Runnable take(Pick pick) {
        synchronized (queue) {
            return queue.isEmpty() ? null : queue.remove(pick.of(queue.size()));
        }
    }

    private static boolean run(@Nullable Runnable task) {
        if (task == null) {
            return false;
        }
        task.run();
        return true;
    }
}
