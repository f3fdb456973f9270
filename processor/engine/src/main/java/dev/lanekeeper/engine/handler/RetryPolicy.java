package dev.lanekeeper.engine.handler;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How often a record is tried and how long its lane waits in between. Immutable.
 *
 * @param maxAttempts attempts in all, at least 1; what follows the last one is the {@link FailurePolicy}'s matter
 * @param initialBackoff wait after the first failure; doubled after each further one
 * @param maxBackoff longest wait
 * @param jitter share of each wait that is random, from 0 (none) to 1
 * @param maxRetryAfter longest wait that a {@link RetryLaterException} may ask for; what asks for more waits so long
 */
public record RetryPolicy(
        int maxAttempts, Duration initialBackoff, Duration maxBackoff, double jitter, Duration maxRetryAfter) {
    /** A timer counts nanoseconds; this is far below what it can hold, and far above what anyone waits for. */
    private static final Duration LONGEST_BACKOFF = Duration.ofDays(100_000);

    private static final Duration RETRY_AFTER = Duration.ofHours(1);

    /** Three attempts, 100 ms then 200 ms apart, a fifth of it random. */
    public static final RetryPolicy DEFAULT = new RetryPolicy(3, Duration.ofMillis(100), Duration.ofSeconds(10), 0.2);

    /** Checks the components; each message names the one at fault and its value. */
    public RetryPolicy {
        if (maxAttempts < 1) {
            throw new IllegalArgumentException("maxAttempts must be at least 1: " + maxAttempts);
        }
        if (initialBackoff.isNegative()) {
            throw new IllegalArgumentException("initialBackoff must not be negative: " + initialBackoff);
        }
        if (maxBackoff.compareTo(initialBackoff) < 0) {
            throw new IllegalArgumentException(
                    "maxBackoff must be at least initialBackoff (" + initialBackoff + "): " + maxBackoff);
        }
        if (maxBackoff.compareTo(LONGEST_BACKOFF) > 0) {
            throw new IllegalArgumentException("maxBackoff must be at most " + LONGEST_BACKOFF + ": " + maxBackoff);
        }
        if (maxRetryAfter.isNegative() || maxRetryAfter.compareTo(LONGEST_BACKOFF) > 0) {
            throw new IllegalArgumentException(
                    "maxRetryAfter must be from 0 to " + LONGEST_BACKOFF + ": " + maxRetryAfter);
        }
        if (!(jitter >= 0 && jitter <= 1)) {
            throw new IllegalArgumentException("jitter must be from 0 to 1: " + jitter);
        }
    }

    /** With an hour, or the longest back-off if that is longer, for those who ask to be tried later. */
    public RetryPolicy(int maxAttempts, Duration initialBackoff, Duration maxBackoff, double jitter) {
        this(
                maxAttempts,
                initialBackoff,
                maxBackoff,
                jitter,
                maxBackoff.compareTo(RETRY_AFTER) > 0 ? maxBackoff : RETRY_AFTER);
    }

    /** The same but for the longest wait that may be asked for. */
    public RetryPolicy withMaxRetryAfter(Duration longest) {
        return new RetryPolicy(maxAttempts, initialBackoff, maxBackoff, jitter, longest);
    }

    /** One attempt, no retry. */
    public static RetryPolicy never() {
        return new RetryPolicy(1, Duration.ZERO, Duration.ZERO, 0);
    }

    /** Whether attempt {@code attempt} may be followed by another; which failures are is said by {@link FailurePolicy}. */
    public boolean allows(int attempt) {
        return attempt < maxAttempts;
    }

    /** How long to wait after attempt {@code attempt} failed with {@code failure}. */
    public Duration delay(int attempt, Throwable failure, RandomGenerator random) {
        if (failure instanceof RetryLaterException later) {
            Duration asked = later.delay();
            if (asked.isNegative()) {
                return Duration.ZERO;
            }
            return asked.compareTo(maxRetryAfter) > 0 ? maxRetryAfter : asked;
        }
        int doublings = Math.min(attempt - 1, 30);
        long nanos = maxBackoff.toNanos();
        if (initialBackoff.toNanos() <= nanos >> doublings) {
            nanos = initialBackoff.toNanos() << doublings;
        }
        return Duration.ofNanos((long) (nanos * (1 - jitter * random.nextDouble())));
    }
}
