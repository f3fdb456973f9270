package dev.lanekeeper.engine.simulation.fate;

import java.util.EnumMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/** How the dice of one simulation are loaded, and the dice. Confined to one thread. */
public final class Luck {
    private final Map<Chance, Double> chances;
    private final RandomGenerator random;

    /** Each chance happens as often as said, those not named never. */
    public Luck(Map<Chance, Double> chances, RandomGenerator random) {
        this.chances = new EnumMap<>(Chance.class);
        this.chances.putAll(chances);
        this.random = random;
    }

    /** All goes well, and takes no longer than it has to. */
    public static Luck good(RandomGenerator random) {
        return new Luck(Map.of(), random);
    }

    /** Draws which chances there are: each seed leaves out some, so that others come to the fore. */
    public static Map<Chance, Double> draw(RandomGenerator random) {
        Map<Chance, Double> chances = new EnumMap<>(Chance.class);
        for (Chance chance : Chance.values()) {
            if (random.nextInt(5) < 2) {
                chances.put(chance, chance.most() * random.nextDouble());
            }
        }
        return chances;
    }

    /** From now on nothing goes wrong. */
    public void turnGood() {
        chances.clear();
    }

    public boolean has(Chance chance) {
        Double often = chances.get(chance);
        return often != null && random.nextDouble() < often;
    }

    /** A number from {@code from} up to and without {@code to}. */
    public long between(long from, long to) {
        return random.nextLong(from, to);
    }

    /** How long something takes that takes up to {@code nanos}, unless it lags. */
    public long delayNanos(long nanos) {
        long delay = random.nextLong(nanos);
        return has(Chance.LAG) ? delay * 10 : delay;
    }
}
