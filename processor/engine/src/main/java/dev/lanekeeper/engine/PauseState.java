package dev.lanekeeper.engine;

/** Whether an engine is paused, or about to be. */
public enum PauseState {
    /** Nobody has asked for a pause. */
    NONE,
    /** Fetching is held back; what runs is waited for. */
    DRAINING,
    /** Nothing runs, and nothing will until the pause is over. */
    HELD
}
