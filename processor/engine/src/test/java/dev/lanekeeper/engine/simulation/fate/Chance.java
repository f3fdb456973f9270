package dev.lanekeeper.engine.simulation.fate;

/** What may go wrong, or otherwise, at any time; with how often it does at most when a seed has it at all. */
public enum Chance {
    /** A handler's attempt fails. */
    ATTEMPT_FAILS(0.3),
    /** A record's every attempt fails. */
    POISON(0.1),
    /** A failure that is not to be tried again. */
    TERMINAL(0.5),
    /** A handler takes longer than the drain timeout. */
    VERY_SLOW(0.05),
    /** A handler's stage never completes. */
    NEVER_ENDS(0.02),
    /** A handler's stage completes more than once. */
    ENDS_TWICE(0.2),
    /** A handler comes to its end when it is told that its attempt takes too long. */
    HEEDS_CANCELLATION(0.5),
    /** Whoever asked for a pause doesn't want it any more. */
    GIVEN_UP(0.5),
    /** A handler is done when it returns. */
    ENDS_AT_ONCE(0.5),
    /** A handler throws, or returns nothing, instead of returning a stage that fails. */
    THROWS(0.5),
    /** A handler emits an output. */
    EMITS(0.7),
    /** What is sent does not arrive. */
    SEND_LOST(0.3),
    /** What is sent arrives, but its acknowledgement does not. */
    ACK_LOST(0.3),
    /** A record, or an output, is too large for the broker to take it once more. */
    TOO_LARGE(0.1),
    /** The producer may not send any more. */
    PRODUCER_FENCED(0.01),
    /** A commit does not arrive. */
    COMMIT_LOST(0.3),
    /** A commit arrives, but its answer does not. */
    COMMIT_ANSWER_LOST(0.3),
    /** The coordinator refuses a commit for a reason that passes. */
    COMMIT_REFUSED(0.3),
    /** Nothing is fetched although there is something. */
    FETCH_LATE(0.7),
    /** A wake-up out of nowhere. */
    WAKEUP(0.1),
    /** The consumer fails in poll. */
    POLL_FAILS(0.002),
    /** The executor refuses a task. */
    EXECUTOR_REFUSES(0.2),
    /** A record can't be decoded. */
    UNDECODABLE(0.1),
    /** A record has no key. */
    KEYLESS(0.1),
    /** A transaction's marker, or an aborted record, precedes a record. */
    GAP(0.3),
    /** What takes time takes ten times as long. */
    LAG(0.2);

    private final double most;

    Chance(double most) {
        this.most = most;
    }

    double most() {
        return most;
    }
}
