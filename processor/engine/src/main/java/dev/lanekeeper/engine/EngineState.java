package dev.lanekeeper.engine;

import java.util.EnumSet;
import java.util.Set;

/** Where an engine is in its life. */
public enum EngineState {
    /** Built, not started. */
    NEW,
    /** Polling. */
    RUNNING,
    /** Asked to close: admits nothing, waits for what runs. */
    CLOSING,
    /** Ended as asked. */
    CLOSED,
    /** Ended by an error that it can't go on from; see {@link LaneKeeper#terminated}. */
    FAILED;

    private Set<EngineState> successors() {
        return switch (this) {
            case NEW -> EnumSet.of(RUNNING, CLOSING, FAILED);
            case RUNNING -> EnumSet.of(CLOSING, FAILED);
            case CLOSING -> EnumSet.of(CLOSED, FAILED);
            case CLOSED, FAILED -> EnumSet.noneOf(EngineState.class);
        };
    }

    boolean mayBecome(EngineState next) {
        return successors().contains(next);
    }
}
