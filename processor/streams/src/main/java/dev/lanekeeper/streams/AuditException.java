package dev.lanekeeper.streams;

import org.jspecify.annotations.Nullable;

/** Why an audit could not be carried out; the text is for the one who started it. Not a finding. */
public final class AuditException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With the text a user reads. */
    public AuditException(String message) {
        super(message);
    }

    /** With the text a user reads, and what was behind it. */
    public AuditException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
