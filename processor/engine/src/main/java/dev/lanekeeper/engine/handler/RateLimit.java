package dev.lanekeeper.engine.handler;

/**
 * How many attempts may begin in a while: a bucket of {@code burst} tokens, full at first, that fills again at the given
 * rate. Each attempt takes one, a retry too.
 *
 * @param perSecond tokens that come back in a second; may be a fraction
 * @param burst tokens that the bucket holds, and so how many may begin at once after a quiet time
 */
public record RateLimit(double perSecond, int burst) {
    /** No limit. */
    public static final RateLimit UNLIMITED = new RateLimit(Double.POSITIVE_INFINITY, Integer.MAX_VALUE);

    /** Checks the components; each message names the one at fault and its value. */
    public RateLimit {
        if (!(perSecond > 0)) { // not a number is not either
            throw new IllegalArgumentException("perSecond must be positive: " + perSecond);
        }
        if (burst < 1) {
            throw new IllegalArgumentException("burst must be at least 1: " + burst);
        }
    }

    /** With a bucket that holds as much as comes back in a second, one token at least. */
    public static RateLimit perSecond(double rate) {
        return new RateLimit(rate, (int) Math.max(1, Math.ceil(rate)));
    }

    /** Whether it limits anything. */
    public boolean unlimited() {
        return Double.isInfinite(perSecond);
    }

    /** Time in which one token comes back, in nanoseconds. */
    public double nanosPerToken() {
        return 1e9 / perSecond;
    }
}
