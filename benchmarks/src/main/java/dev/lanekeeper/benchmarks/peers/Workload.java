package dev.lanekeeper.benchmarks.peers;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * What is in the topic and what the handler does with it.
 *
 * @param name as {@code peers.workloads} says it
 * @param title as the table says it
 * @param records to measure with
 * @param keys how many different ones
 * @param partitions of the topic
 * @param zipf exponent of the keys' popularity; 0 draws all alike
 * @param hotShare how many of 100 records have key 0 instead
 * @param kind what the handler does
 * @param micros for how long it does so
 * @param rate records a second if they come while it runs; 0 if all are there before
 * @param concurrency the most handlers at once
 */
record Workload(
        String name,
        String title,
        int records,
        int keys,
        int partitions,
        double zipf,
        int hotShare,
        Kind kind,
        int micros,
        int rate,
        int concurrency) {
    /** What the handler does. */
    enum Kind {
        NOTHING,
        BLOCK,
        COMPUTE,
        ASYNC,
        /** As nothing, but for the first record of one key, which does not end. */
        STUCK
    }

    static final List<Workload> ALL = List.of(
            preloaded("W1", "no-op, 100k keys", 1_000_000, 100_000, 12, 0, Kind.NOTHING, 0, 16),
            preloaded("W1-100", "no-op, 100 keys", 1_000_000, 100, 12, 0, Kind.NOTHING, 0, 16),
            preloaded("W2", "blocks 2 ms, 10k keys", 50_000, 10_000, 3, 0, Kind.BLOCK, 2_000, 100),
            preloaded("W3", "blocks 1 ms, Zipf 1.1", 20_000, 10_000, 3, 1.1, Kind.BLOCK, 1_000, 100),
            preloaded("W4", "20 us of CPU", 200_000, 20_000, 12, 0, Kind.COMPUTE, 20, 16),
            preloaded("W5", "async 5 ms", 100_000, 10_000, 12, 0, Kind.ASYNC, 5_000, 10_000),
            preloaded("W6", "one key stuck", 300_000, 10_000, 3, 0, Kind.STUCK, 0, 100),
            paced("W7", "2,000/s, blocks 1 ms", 0),
            paced("W7-hot", "the same, and every 10th record of one key", 10));

    private static final int SEED = 42;

    private static Workload preloaded(
            String name,
            String title,
            int records,
            int keys,
            int partitions,
            double zipf,
            Kind kind,
            int micros,
            int concurrency) {
        return new Workload(name, title, records, keys, partitions, zipf, 0, kind, micros, 0, concurrency);
    }

    private static Workload paced(String name, String title, int hotShare) {
        return new Workload(name, title, 20_000, 10_000, 3, 0, hotShare, Kind.BLOCK, 1_000, 2_000, 100);
    }

    /**
     * The workload of that name.
     *
     * @throws IllegalArgumentException if there is none
     */
    static Workload of(String name) {
        return ALL.stream()
                .filter(workload -> workload.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no workload " + name + "; there are: "
                        + String.join(", ", ALL.stream().map(Workload::name).toList())));
    }

    /** The same with {@code scale} times as many records. */
    Workload scaled(double scale) {
        return new Workload(
                name,
                title,
                (int) Math.max(keys > 100 ? 1_000 : 100, records * scale),
                keys,
                partitions,
                zipf,
                hotShare,
                kind,
                micros,
                rate,
                concurrency);
    }

    /** What the contender warms up with: as much, but all of it there before. */
    Workload warmingUp() {
        return new Workload(name, title, records, keys, partitions, zipf, hotShare, kind, micros, 0, concurrency);
    }

    /** The key that is stuck, if one is. */
    int stuckKey() {
        return keySequence()[Math.min(1_000, records - 1)];
    }

    /** Whether handlers keep a core busy, or do nothing. */
    boolean busy() {
        return kind == Kind.NOTHING || kind == Kind.COMPUTE;
    }

    boolean paced() {
        return rate > 0;
    }

    /** The key of each record, the same at each call. */
    int[] keySequence() {
        Random random = new Random(SEED);
        double[] cumulated = cumulated();
        int[] sequence = new int[records];
        for (int i = 0; i < records; i++) {
            if (hotShare > 0 && random.nextInt(100) < hotShare) {
                sequence[i] = 0;
            } else if (zipf == 0) {
                sequence[i] = random.nextInt(keys);
            } else {
                int found = Arrays.binarySearch(cumulated, random.nextDouble() * cumulated[keys - 1]);
                sequence[i] = Math.min(keys - 1, found < 0 ? -found - 1 : found);
            }
        }
        return sequence;
    }

    private double[] cumulated() {
        double[] cumulated = new double[keys];
        double sum = 0;
        for (int i = 0; i < keys; i++) {
            sum += zipf == 0 ? 0 : 1 / Math.pow(i + 1, zipf);
            cumulated[i] = sum;
        }
        return cumulated;
    }
}
