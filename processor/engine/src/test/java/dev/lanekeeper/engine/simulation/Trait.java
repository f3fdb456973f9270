package dev.lanekeeper.engine.simulation;

import java.util.EnumSet;
import java.util.Set;
import java.util.random.RandomGenerator;

/** What the engines of a world are like; with how likely it is that they are. */
enum Trait {
    /** Handlers work on the thread that calls them. A switch of threads takes long, so these worlds are few. */
    BLOCKING(0.05),
    /** Attempts that take too long are reported. */
    LIMITED(0.3),
    /** And end, if their handler has returned. */
    FENCING(0.7),
    /** And their thread is interrupted, if there is one. */
    INTERRUPTING(0.5),
    /** A record that fails for good stops its partition until somebody has it go on. */
    STOPPING(0.15),
    /** Outputs and offsets are committed together. Few, as these need threads too. */
    TRANSACTIONS(0.06),
    /** Handlers are given what waits of a customer, on the thread that calls them. Few, for the same reason. */
    BATCHES(0.06);

    private final double likely;

    Trait(double likely) {
        this.likely = likely;
    }

    static Set<Trait> draw(RandomGenerator random) {
        Set<Trait> drawn = EnumSet.noneOf(Trait.class);
        for (Trait trait : values()) {
            if (random.nextDouble() < trait.likely) {
                drawn.add(trait);
            }
        }
        return drawn;
    }
}
