package dev.lanekeeper.lanes;

/** What has to have ended before a pause is held. */
public enum PauseMode {
    /** What runs when the pause is asked for; what is in line waits until it is over. */
    RUNNING,
    /**
     * Everything submitted before the pause was asked for. Until that has ended, what comes later runs too; takes a step
     * for each live lane.
     */
    SUBMITTED
}
