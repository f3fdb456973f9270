package dev.lanekeeper.engine.intake;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * When the steps of a close have to be over; counted from the moment it was asked for. All of them share one timeout. Its
 * last quarter, 5 s at most, is kept for the last commit and for leaving the group, so that a handler which takes all the
 * time there is doesn't cost the others their commit. Of a timeout below 4 s nothing is kept: it is the handlers', and the
 * rest has a second of its own.
 *
 * @param drain until when what runs may end
 * @param end until when everything else has to be over
 */
public record Closing(Deadline drain, Deadline end) {
    private static final Duration TOO_SHORT_TO_DIVIDE = Duration.ofSeconds(4);
    private static final Duration LONGEST_FAREWELL = Duration.ofSeconds(5);
    private static final Duration SHORTEST_FAREWELL = Duration.ofSeconds(1);

    /** A close that is asked for now. */
    public static Closing within(Duration timeout, LongSupplier nanoTime) {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("timeout must not be negative: " + timeout);
        }
        Duration farewell = timeout.compareTo(TOO_SHORT_TO_DIVIDE) < 0 ? Duration.ZERO : timeout.dividedBy(4);
        if (farewell.compareTo(LONGEST_FAREWELL) > 0) {
            farewell = LONGEST_FAREWELL;
        }
        Duration drain = timeout.minus(farewell);
        Duration whole = farewell.isZero() ? timeout.plus(SHORTEST_FAREWELL) : timeout;
        return new Closing(Deadline.in(drain, nanoTime), Deadline.in(whole, nanoTime));
    }
}
