package dev.lanekeeper.engine.simulation;

import dev.lanekeeper.engine.simulation.cluster.FakeGroup.Protocol;
import dev.lanekeeper.engine.simulation.fate.Chance;
import dev.lanekeeper.engine.simulation.fate.Luck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * What a seed means: the size of the world, its settings, what may go wrong at any time and what does at a certain one.
 * Immutable.
 *
 * @param seed also decides everything that is left to chance
 */
record Plan(
        long seed,
        Shape shape,
        Protocol protocol,
        Set<Trait> traits,
        Map<Chance, Double> chances,
        List<Misfortune> misfortunes) {
    /** When messages come, and when something may happen to instances. */
    static final long WORK_NANOS = Duration.ofSeconds(3).toNanos();

    static final long TROUBLE_NANOS = Duration.ofSeconds(6).toNanos();

    /**
     * How large things are.
     *
     * @param instances at the beginning
     * @param mostRecords brought by one poll
     * @param batchRecords handled in one call, where they are
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
            Duration drainTimeout,
            Duration handlerLimit,
            int batchRecords) {}

    static Plan of(long seed) {
        RandomGenerator random = new SplittableRandom(seed);
        Protocol[] protocols = Protocol.values();
        Plan drawn = new Plan(
                seed,
                shape(random),
                protocols[random.nextInt(protocols.length)],
                Trait.draw(random),
                Luck.draw(random),
                misfortunes(random));
        return drawn.has(Trait.TRANSACTIONS) ? drawn.withoutWhatRepeats() : drawn;
    }

    /**
     * Where outputs are to be seen once: a log that is cut takes with it what was committed. And what can't be decoded comes
     * to its end without anybody being told, before its dead letter is committed.
     */
    private Plan withoutWhatRepeats() {
        Map<Chance, Double> fewer = new EnumMap<>(Chance.class);
        fewer.putAll(chances);
        fewer.remove(Chance.UNDECODABLE);
        List<Misfortune> others = misfortunes.stream()
                .filter(misfortune -> misfortune.kind() != Misfortune.Kind.TRUNCATE)
                .toList();
        return new Plan(seed, shape, protocol, traits, fewer, others);
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
                Duration.ofMillis(random.nextInt(100, 1_500)),
                Duration.ofMillis(random.nextInt(20, 400)),
                random.nextInt(2, 7));
    }

    private static List<Misfortune> misfortunes(RandomGenerator random) {
        List<Misfortune> drawn = new ArrayList<>();
        Misfortune.Kind[] kinds = Misfortune.Kind.values();
        for (int i = random.nextInt(9); i > 0; i--) {
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
            simpler.add(new Plan(seed, shape, protocol, traits, chances, List.copyOf(fewer)));
        }
        for (Chance chance : chances.keySet()) {
            Map<Chance, Double> fewer = new EnumMap<>(chances);
            fewer.remove(chance);
            simpler.add(new Plan(seed, shape, protocol, traits, fewer, misfortunes));
        }
        for (Trait trait : traits) {
            Set<Trait> fewer = EnumSet.copyOf(traits);
            fewer.remove(trait);
            simpler.add(new Plan(seed, shape, protocol, fewer, chances, misfortunes));
        }
        if (protocol != Protocol.EAGER) {
            simpler.add(new Plan(seed, shape, Protocol.EAGER, traits, chances, misfortunes));
        }
        return simpler;
    }

    boolean has(Trait trait) {
        return traits.contains(trait);
    }

    /** Whether handlers work on the thread that calls them. */
    boolean blocks() {
        return has(Trait.BLOCKING) || has(Trait.BATCHES);
    }

    /** How often a record is with its handler: with batches, as often alone as it was with others. */
    int mostAttempts() {
        return has(Trait.BATCHES) ? 2 * Instance.MAX_ATTEMPTS : Instance.MAX_ATTEMPTS;
    }

    /** When an attempt that takes long is given up, its handler having returned. */
    Optional<Duration> fencedAfter() {
        return has(Trait.LIMITED) && has(Trait.FENCING) && !blocks()
                ? Optional.of(shape.handlerLimit())
                : Optional.empty();
    }

    @Override
    public String toString() {
        return "seed " + seed + ": " + shape + " " + protocol + " " + traits + "\nchances " + chances + "\nmisfortunes "
                + misfortunes;
    }
}
