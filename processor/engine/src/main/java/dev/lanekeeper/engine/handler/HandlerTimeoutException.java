package dev.lanekeeper.engine.handler;

import java.io.Serial;

/** Why an attempt failed that was fenced off: its stage did not complete within the {@link HandlerTimeout}. */
public class HandlerTimeoutException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    /** {@code message} says which attempt, and how long it had. */
    public HandlerTimeoutException(String message) {
        super(message);
    }
}
