package dev.lanekeeper.engine.handler;

import java.util.Locale;

/** Where a record failed for good. The lower-case name goes into the dead letter's headers. */
public enum FailureStage {
    /** The key or value could not be decoded, or the lane key not be found. */
    DECODE,
    /** The handler failed in its last attempt. */
    HANDLER,
    /** The handler took longer than allowed. */
    TIMEOUT,
    /** The broker refused the handler's output. */
    PUBLISH;

    /** The name as it appears in headers. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
