package dev.lanekeeper.lanes;

/** What happens to a task that runs longer than it should. It is reported in any case. */
public enum TimeoutPolicy {
    /** Nothing more: its lane stays closed until it ends, since it may still be at work. */
    HOLD,
    /**
     * A task whose stage has not completed is failed with a {@code TimeoutException} and its lane goes on; what it does later
     * must be kept from doing harm by whatever it writes to. A task that is still on a thread is treated as for {@link #HOLD}.
     */
    FENCE
}
