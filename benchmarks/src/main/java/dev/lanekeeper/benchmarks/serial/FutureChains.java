package dev.lanekeeper.benchmarks.serial;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/** A future per key to which the next task is chained; the last of a key removes it. Thread-safe. */
final class FutureChains implements KeyExecutor {
    private final ConcurrentHashMap<String, CompletableFuture<Void>> tails = new ConcurrentHashMap<>();
    private final Executor workers;

    FutureChains(Executor workers) {
        this.workers = workers;
    }

    @Override
    public void submit(String key, Task task) {
        CompletableFuture<Void> mine = tails.compute(
                key,
                (k, tail) ->
                        tail == null ? CompletableFuture.runAsync(task, workers) : tail.thenRunAsync(task, workers));
        var unused = mine.whenComplete((nothing, failure) -> tails.remove(key, mine));
    }
}
