package dev.lanekeeper.engine.handler;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler for a record that no further attempt can help: it has failed for good at once, and goes where the {@link
 * FailurePolicy} sends such records, by default to the dead letters.
 */
public class TerminalException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    /** {@code message} ends up in the dead letter's headers: name the thing, its value and what is allowed. */
    public TerminalException(String message) {
        super(message);
    }

    /** As above, with the cause. */
    public TerminalException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
