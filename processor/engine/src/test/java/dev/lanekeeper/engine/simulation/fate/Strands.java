package dev.lanekeeper.engine.simulation.fate;

import java.util.ArrayList;
import java.util.List;

/** The strands of one simulation, used again when they are idle. Confined to the simulation's thread; closed by it. */
public final class Strands implements AutoCloseable {
    private final List<Strand> strands = new ArrayList<>();

    /** Runs {@code task}, which may {@link Strand#sleep}; returns when it ends or sleeps. */
    public void run(Runnable task) {
        for (Strand strand : strands) {
            if (strand.idle()) {
                strand.begin(task);
                return;
            }
        }
        Strand strand = new Strand();
        strands.add(strand);
        strand.start();
        strand.begin(task);
    }

    @Override
    public void close() {
        strands.forEach(Strand::end);
        strands.clear();
    }
}
