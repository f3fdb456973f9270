package dev.lanekeeper.benchmarks.locks;

import dev.lanekeeper.lanes.Hold;
import dev.lanekeeper.lanes.Lanes;

/** Sections as holds of lanes. Thread-safe. */
final class LaneHolds implements KeyLock<Hold> {
    private final Lanes<String> lanes =
            Lanes.<String>builder().executor(Runnable::run).build();

    @Override
    public Hold enter(String key) {
        try {
            return lanes.hold(key);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for key " + key, e);
        }
    }

    @Override
    public void leave(String key, Hold hold) {
        hold.close();
    }
}
