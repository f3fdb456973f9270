package dev.lanekeeper.simulator;

import org.jspecify.annotations.Nullable;

/** Not everything that was handed to the producer is known to be in the topic. The message says what failed first. */
public final class SendFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    SendFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
