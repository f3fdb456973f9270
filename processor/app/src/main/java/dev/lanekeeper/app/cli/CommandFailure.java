package dev.lanekeeper.app.cli;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Ends a command with {@link ExitCode#FAILED}; the message is one line for the user: what failed and what helps. */
public final class CommandFailure extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    /** See the class; the cause is for those who ask for the trace. */
    public CommandFailure(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
