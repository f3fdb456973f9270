package dev.lanekeeper.engine.simulation.fate;

import java.io.Serial;

/** Unwinds the stack of a process that was killed while it waited: no code of it runs on. */
public final class HostDiedException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    HostDiedException(String host) {
        super(host + " was killed", null, false, false);
    }
}
