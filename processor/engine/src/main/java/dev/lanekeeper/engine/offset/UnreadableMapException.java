package dev.lanekeeper.engine.offset;

import java.io.Serial;

/** The metadata of a commit is not a map that may be believed. The message says why; there is no stack trace. */
public final class UnreadableMapException extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    UnreadableMapException(String reason) {
        super(reason, null, false, false);
    }
}
