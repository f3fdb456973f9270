package dev.lanekeeper.engine.simulation.fate;

/** A process that can be frozen and killed; its tasks then wait, or never run. Confined to the simulation's thread. */
public final class Host {
    private final String name;
    private long frozenUntilNanos = Long.MIN_VALUE;
    private boolean dead;

    public Host(String name) {
        this.name = name;
    }

    public String name() {
        return name;
    }

    /** Nothing of it runs until then. */
    public void freeze(long untilNanos) {
        frozenUntilNanos = Math.max(frozenUntilNanos, untilNanos);
    }

    public void thaw() {
        frozenUntilNanos = Long.MIN_VALUE;
    }

    public boolean frozen(long nowNanos) {
        return frozenUntilNanos > nowNanos;
    }

    long frozenUntilNanos() {
        return frozenUntilNanos;
    }

    /** Nothing of it runs ever again. */
    public void kill() {
        dead = true;
    }

    public boolean dead() {
        return dead;
    }

    @Override
    public String toString() {
        return name;
    }
}
