package dev.lanekeeper.engine.simulation;

import dev.lanekeeper.engine.simulation.history.History;
import dev.lanekeeper.engine.simulation.history.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs the worlds of many seeds, each on a thread of its own, until one of them breaks a promise. */
final class Seeds {
    /** A world in which a promise was broken. */
    record Failure(Plan plan, Violation violation, History history) {
        /** All one needs to look into it. */
        String report(long seed) {
            return violation + "\n" + plan + "\nrun it again with -Dtest=SimulationTest -Dlanekeeper.simulation.seeds=1"
                    + " -Dlanekeeper.seed=" + seed + "\n" + history.tail(60);
        }
    }

    private Seeds() {}

    /** The failure with the lowest seed of those found before all threads have stopped. */
    static Optional<Failure> firstFailure(long from, int count, Supplier<Sabotage> sabotage) {
        int threads = Runtime.getRuntime().availableProcessors();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            AtomicLong next = new AtomicLong(from);
            AtomicLong end = new AtomicLong(from + count);
            List<Future<@Nullable Failure>> found = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                found.add(pool.submit(() -> search(next, end, sabotage)));
            }
            Failure first = null;
            for (Future<@Nullable Failure> future : found) {
                Failure failure = future.get();
                if (failure != null
                        && (first == null
                                || failure.plan().seed() < first.plan().seed())) {
                    first = failure;
                }
            }
            return Optional.ofNullable(first);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } finally {
            pool.shutdownNow();
        }
    }

    private static @Nullable Failure search(AtomicLong next, AtomicLong end, Supplier<Sabotage> sabotage) {
        for (long seed = next.getAndIncrement(); seed < end.get(); seed = next.getAndIncrement()) {
            Failure failure = run(Plan.of(seed), sabotage.get());
            if (failure != null) {
                end.set(Math.min(end.get(), seed));
                return failure;
            }
        }
        return null;
    }

    /** Runs one world. */
    static @Nullable Failure run(Plan plan, Sabotage sabotage) {
        History history = new World(plan, sabotage).run();
        Violation violation = history.violation();
        return violation == null ? null : new Failure(plan, violation, history);
    }

    /** The same failure in a world where less goes wrong, as far as leaving things out one by one leads to one. */
    static Failure shrink(Failure failure, Supplier<Sabotage> sabotage) {
        Failure smallest = failure;
        boolean smaller = true;
        while (smaller) {
            smaller = false;
            for (Plan plan : smallest.plan().simpler()) {
                Failure candidate = run(plan, sabotage.get());
                if (candidate != null
                        && candidate.violation().check() == failure.violation().check()) {
                    smallest = candidate;
                    smaller = true;
                    break;
                }
            }
        }
        return smallest;
    }
}
