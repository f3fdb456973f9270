package dev.lanekeeper.app.handlers;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A request that may succeed if it is made again: the other side is busy, broken or away. */
public final class HttpHandlerException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    HttpHandlerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
