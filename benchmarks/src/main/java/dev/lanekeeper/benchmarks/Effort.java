package dev.lanekeeper.benchmarks;

import java.util.List;
import java.util.Set;

/**
 * How long to measure and what. From system properties: {@code bench.full} measures every cell and longer; {@code bench.only}
 * names tables.
 *
 * @param rounds of which medians are taken; each goes over everything that is compared
 * @param seconds of warming up, and of measuring, per cell and round
 * @param lockThreads numbers of threads that take locks
 * @param submitters numbers of threads that submit
 * @param passedKeys how many keys pass through a peer whose remains are weighed
 * @param tables which tables; {@link #ALL} of them by default
 */
record Effort(
        int rounds,
        double seconds,
        List<Integer> lockThreads,
        List<Integer> submitters,
        int passedKeys,
        Set<String> tables) {
    static final Set<String> ALL = Set.of("locks", "serial", "gate", "memory", "pause", "commit");

    Effort {
        if (rounds < 3) {
            throw new IllegalArgumentException("rounds must be at least 3, or a median means nothing: " + rounds);
        }
        for (String table : tables) {
            if (!ALL.contains(table)) {
                throw new IllegalArgumentException("bench.only knows no table " + table + "; there are: "
                        + String.join(", ", ALL.stream().sorted().toList()));
            }
        }
    }

    /** As the properties say; {@code only} is a list with commas, or {@code all}. */
    static Effort of(boolean full, String only) {
        Set<String> tables = only.equals("all") ? ALL : Set.of(only.split(","));
        return full
                ? new Effort(5, 2, List.of(1, 2, 4), List.of(1, 2), 10_000_000, tables)
                : new Effort(3, 0.3, List.of(1, 2), List.of(1, 2), 2_000_000, tables);
    }
}
