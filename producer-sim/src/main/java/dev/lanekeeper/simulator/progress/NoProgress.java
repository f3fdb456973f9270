package dev.lanekeeper.simulator.progress;

/** Nothing to see. */
enum NoProgress implements Progress {
    INSTANCE;

    @Override
    public void stepTo(long done) {
        // nothing to show it on
    }

    @Override
    public void close() {
        // nothing to end
    }
}
