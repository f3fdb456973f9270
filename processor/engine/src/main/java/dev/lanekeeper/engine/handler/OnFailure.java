package dev.lanekeeper.engine.handler;

/** What becomes of a record that failed for good, and of the customer's later ones. */
public enum OnFailure {
    /** The record goes to the dead letters; the customer's next one follows. */
    SKIP_TO_DEAD_LETTERS,
    /**
     * The record is parked, and so is every later one of the customer in that partition, in order, until somebody has them
     * replayed. Other customers go on.
     */
    PARK_KEY,
    /**
     * Nothing of the partition starts any more, and it is not committed beyond the record, until somebody has it resumed or
     * it is assigned again. Other partitions go on.
     */
    STOP_PARTITION
}
