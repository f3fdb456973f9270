package dev.lanekeeper.engine.simulation.history;

/** A promise that a history breaks. */
public record Violation(Check check, String text) {
    /** The promises, numbered as in the design. */
    public enum Check {
        /** Runs of one key never overlap, but for those of an instance that was cut off, or gave up waiting for them. */
        C1_EXCLUSION,
        /** A run begins only when every earlier message of its key has reached a durable end. */
        C2_ORDER,
        /** In the end every message has reached a durable end, and is committed. */
        C3_COMPLETENESS,
        /**
         * Runs of a partition begin only while it is assigned; again only after a failure, or if neither the commit that the
         * partition was assigned with nor what that says to be done ahead tells of it.
         */
        C4_REPETITION,
        /** Whatever is below a commit, and what it says to be done ahead, has reached a durable end. */
        C5_COMMIT,
        /** While a pause of an instance is held, nothing runs there. */
        C6_PAUSE,
        /** While a bulk has a key, nothing else of that key runs there; and it comes to one outcome. */
        C7_BULK,
        /** In the end nothing is left: no lane, no timer, no entry. */
        C8_QUIESCENCE,
        /** When faults stop, everything comes to its end in time. */
        C9_TERMINATION,
        /** With transactions: committed outputs are there once and in order, together with the offsets of their records. */
        EXACTLY_ONCE,
        /** Something threw where nothing may. */
        UNCAUGHT
    }

    @Override
    public String toString() {
        return check + ": " + text;
    }
}
