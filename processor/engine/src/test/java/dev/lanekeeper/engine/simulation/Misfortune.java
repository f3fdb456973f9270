package dev.lanekeeper.engine.simulation;

/**
 * Something that happens to an instance, or the cluster, at a certain time.
 *
 * @param target number from which the instance or partition is found, whichever are there then
 * @param lengthNanos how long it lasts, or until the instance is replaced
 */
record Misfortune(Kind kind, long atNanos, int target, long lengthNanos) {
    /** What happens. */
    enum Kind {
        /** An instance is killed; another one takes its place. */
        CRASH,
        /** An instance closes in good order; another one takes its place. */
        CLOSE,
        /** One more instance. */
        JOIN,
        /** An instance is stopped and goes on as if nothing had been: a zombie, if it took longer than its session. */
        FREEZE,
        /** The group gives an instance up, which is well and learns of it later. */
        EXPEL,
        /** All have to join again, and partitions move. */
        REBALANCE,
        /** A partition gets a leader that lacks the end of the log. */
        TRUNCATE,
        /** The dead letters' topic is missing. */
        TOPIC_GONE,
        /** An instance is paused. */
        PAUSE,
        /** An instance is drained. */
        DRAIN,
        /** All pauses of an instance are ended. */
        RESUME,
        /** Something is done with several customers at once. */
        BULK
    }

    @Override
    public String toString() {
        return String.format("%s(%d) at %.0f ms for %.0f ms", kind, target, atNanos / 1e6, lengthNanos / 1e6);
    }
}
