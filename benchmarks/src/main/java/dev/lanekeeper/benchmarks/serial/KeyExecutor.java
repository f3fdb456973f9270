package dev.lanekeeper.benchmarks.serial;

/** One way to run the tasks of a key one at a time and in order, tasks of different keys in parallel. Thread-safe. */
@FunctionalInterface
public interface KeyExecutor {
    /** Runs {@code task} after all that was submitted for {@code key} before. */
    void submit(String key, Task task);
}
