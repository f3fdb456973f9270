package dev.lanekeeper.engine.simulation;

import dev.lanekeeper.engine.simulation.cluster.FakeGroup.Protocol;
import dev.lanekeeper.engine.simulation.fate.Chance;
import dev.lanekeeper.engine.simulation.fate.Luck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * What a seed means: the size of the world, its settings, what may go wrong at any time and what does at a certain one. Immutable.
 *
 * @param seed also decides everything that is left to chance
 */
record Plan(long seed, Shape shape, Protocol protocol, Map<Chance, Double> chances, List<Misfortune> misfortunes) {
    /** When messages come, and when something may happen to instances. */
    static final long WORK_NANOS = Duration.ofSeconds(3).toNanos();

    static final long TROUBLE_NANOS = Duration.ofSeconds(6).toNanos();

    /**
     * How large things are.
     *
     * @param instances at the beginning
     * @param mostRecords brought by one poll
     */
    record Shape(
            int instances,
            int partitions,
            int messages,
            int keys,
            int concurrency,
            int bufferRecords,
            int mostRecords,
            Duration commitInterval,
            Duration drainTimeout) {}

    static Plan of(long seed) {
        RandomGenerator random = new SplittableRandom(seed);
        return new Plan(
                seed,
                shape(random),
                random.nextBoolean() ? Protocol.EAGER : Protocol.COOPERATIVE,
                Luck.draw(random),
                misfortunes(random));
    }

    private static Shape shape(RandomGenerator random) {
        return new Shape(
                random.nextInt(1, 4),
                random.nextInt(1, 5),
                random.nextInt(20, 61),
                random.nextInt(1, 13),
                random.nextInt(1, 9),
                random.nextInt(1, 30),
                random.nextInt(1, 20),
                Duration.ofMillis(random.nextInt(10, 500)),
                Duration.ofMillis(random.nextInt(100, 1_500)));
    }

    private static List<Misfortune> misfortunes(RandomGenerator random) {
        List<Misfortune> drawn = new ArrayList<>();
        Misfortune.Kind[] kinds = Misfortune.Kind.values();
        for (int i = random.nextInt(6); i > 0; i--) {
            drawn.add(new Misfortune(
                    kinds[random.nextInt(kinds.length)],
                    random.nextLong(TROUBLE_NANOS),
                    random.nextInt(100),
                    random.nextLong(Duration.ofSeconds(6).toNanos())));
        }
        drawn.sort(Comparator.comparingLong(Misfortune::atNanos));
        return List.copyOf(drawn);
    }

    /** Plans in which one thing fewer may go wrong. */
    List<Plan> simpler() {
        List<Plan> simpler = new ArrayList<>();
        for (Misfortune misfortune : misfortunes) {
            List<Misfortune> fewer = new ArrayList<>(misfortunes);
            fewer.remove(misfortune);
            simpler.add(new Plan(seed, shape, protocol, chances, List.copyOf(fewer)));
        }
        for (Chance chance : chances.keySet()) {
            Map<Chance, Double> fewer = new EnumMap<>(chances);
            fewer.remove(chance);
            simpler.add(new Plan(seed, shape, protocol, fewer, misfortunes));
        }
        return simpler;
    }

    @Override
    public String toString() {
        return "seed " + seed + ": " + shape + " " + protocol + "\nchances " + chances + "\nmisfortunes " + misfortunes;
    }
}
