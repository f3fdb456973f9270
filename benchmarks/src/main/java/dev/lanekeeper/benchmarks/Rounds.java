package dev.lanekeeper.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs a benchmark over all its peers again and again, so that what disturbs the machine for a while disturbs all of them, and
 * takes medians. Each cell of each round is a JVM of its own.
 */
final class Rounds {
    private static final String ALLOCATED = "gc.alloc.rate.norm";

    private final Effort effort;

    Rounds(Effort effort) {
        this.effort = effort;
    }

    /**
     * What is measured in one cell.
     *
     * @param name of the method
     * @param peer parameter of that name, empty if there is none
     * @param keys parameter of that name, 0 if there is none
     * @param threads that measure
     */
    record Where(String name, String peer, int keys, int threads) {
        static Where of(BenchmarkParams params) {
            String name = params.getBenchmark();
            String keys = params.getParam("keys");
            String peer = params.getParam("peer");
            return new Where(
                    name.substring(name.lastIndexOf('.') + 1),
                    peer == null ? "" : peer,
                    keys == null ? 0 : Integer.parseInt(keys),
                    params.getThreads());
        }
    }

    /** Medians over all rounds, of all methods and parameters of {@code benchmark}. */
    Map<Where, Cell> run(Class<?> benchmark, List<Integer> threads) throws RunnerException {
        Map<Where, List<Cell>> cells = new LinkedHashMap<>();
        for (int round = 1; round <= effort.rounds(); round++) {
            for (int count : threads) {
                System.err.printf(
                        "%s, %d thread(s), round %d of %d%n", benchmark.getSimpleName(), count, round, effort.rounds());
                for (RunResult result : once(benchmark, count)) {
                    cells.computeIfAbsent(Where.of(result.getParams()), where -> new ArrayList<>())
                            .add(cell(result));
                }
            }
        }
        Map<Where, Cell> medians = new LinkedHashMap<>();
        cells.forEach((where, rounds) -> medians.put(where, Cell.median(rounds)));
        return medians;
    }

    private Iterable<RunResult> once(Class<?> benchmark, int threads) throws RunnerException {
        TimeValue time = TimeValue.milliseconds(Math.round(effort.seconds() * 1000));
        return new Runner(new OptionsBuilder()
                        .include(benchmark.getName().replace(".", "\\.") + "\\.")
                        .threads(threads)
                        .forks(1)
                        .warmupIterations(2)
                        .warmupTime(time)
                        .measurementIterations(2)
                        .measurementTime(time)
                        .jvmArgs("-Xms2g", "-Xmx2g")
                        .addProfiler(GCProfiler.class)
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();
    }

    private static Cell cell(RunResult result) {
        Result<?> bytes = result.getSecondaryResults().get(ALLOCATED);
        return new Cell(result.getPrimaryResult().getScore(), bytes == null ? Double.NaN : bytes.getScore());
    }
}
