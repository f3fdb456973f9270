package dev.lanekeeper.app.config;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A mistake in the configuration. The message is one line for the user: the key, the value, and what is allowed. */
public final class ConfigurationException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    /** See the class. */
    public ConfigurationException(String message) {
        super(message);
    }

    /** As above, with the cause for those who ask for the trace. */
    public ConfigurationException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
