package dev.lanekeeper.message;

import org.jspecify.annotations.Nullable;

/** A message that breaks its format. The text names the field, the value (shortened) and what is allowed. */
public final class InvalidMessageException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /** With the text a user reads. */
    public InvalidMessageException(String message) {
        super(message);
    }

    /** With the text a user reads, and what the parser said. */
    public InvalidMessageException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
