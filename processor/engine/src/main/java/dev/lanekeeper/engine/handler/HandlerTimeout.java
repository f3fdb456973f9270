package dev.lanekeeper.engine.handler;

import java.time.Duration;

/**
 * How long one attempt may take, from the call of the handler, and what follows if it takes longer. Immutable.
 *
 * @param limit longest attempt, positive
 * @param policy what follows beside the report
 * @param interrupts whether the thread that is inside the handler is interrupted, once
 */
public record HandlerTimeout(Duration limit, Policy policy, boolean interrupts) {
    /** An attempt's time is counted in nanoseconds. */
    private static final Duration LONGEST = Duration.ofDays(1000);

    /** What follows an attempt that takes too long. In either case it is reported once, and told that it is cancelled. */
    public enum Policy {
        /** The lane stays held until the attempt ends: nothing of the customer ever runs beside it. */
        HOLD,
        /**
         * If the handler has returned its stage, the attempt has failed, and what the stage brings later counts for
         * nothing. What it still does elsewhere may run beside the next attempt. While the handler is on its thread: as {@link
         * #HOLD}.
         */
        FENCE
    }

    /** Checks the components; the message names the one at fault and its value. */
    public HandlerTimeout {
        if (limit.isNegative() || limit.isZero() || limit.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "the handler's timeout must be positive and at most " + LONGEST + ": " + limit);
        }
    }

    /** Reports what takes longer, and holds its lane. */
    public static HandlerTimeout hold(Duration limit) {
        return new HandlerTimeout(limit, Policy.HOLD, false);
    }

    /** Fails an asynchronous attempt that takes longer. */
    public static HandlerTimeout fence(Duration limit) {
        return new HandlerTimeout(limit, Policy.FENCE, false);
    }

    /** The same, and interrupts a thread that is inside the handler for too long. */
    public HandlerTimeout interrupting() {
        return new HandlerTimeout(limit, policy, true);
    }
}
