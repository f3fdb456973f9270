package dev.lanekeeper.engine.handler;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Thrown by a handler for a record that no further attempt can help: it is dead-lettered at once. */
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
