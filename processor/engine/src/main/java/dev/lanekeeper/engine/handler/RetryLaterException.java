package dev.lanekeeper.engine.handler;

import java.io.Serial;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler that knows how long to wait before the next attempt, as from an HTTP {@code Retry-After}. Thrown by a
 * deserializer, for what it can't decode yet: then the record is held, see {@link FailurePolicy.Verdict#HOLD}.
 */
public class RetryLaterException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    private final Duration delay;

    /** {@code delay} replaces the policy's back-off, up to {@link RetryPolicy#maxRetryAfter}; the attempt counts. */
    public RetryLaterException(Duration delay, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.delay = Objects.requireNonNull(delay, "delay");
    }

    /** How long to wait before the next attempt. */
    public Duration delay() {
        return delay;
    }
}
