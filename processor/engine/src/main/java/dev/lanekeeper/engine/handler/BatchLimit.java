package dev.lanekeeper.engine.handler;

/**
 * How much a {@link BatchHandler} gets at once.
 *
 * @param records most records in a batch
 * @param bytes most bytes of their keys and values; a record that is larger by itself comes alone
 */
public record BatchLimit(int records, long bytes) {
    /** Checks the components; each message names the one at fault and its value. */
    public BatchLimit {
        if (records < 1) {
            throw new IllegalArgumentException("records must be at least 1: " + records);
        }
        if (bytes < 1) {
            throw new IllegalArgumentException("bytes must be at least 1: " + bytes);
        }
    }

    /** So many records, whatever their size. */
    public static BatchLimit records(int most) {
        return new BatchLimit(most, Long.MAX_VALUE);
    }

    /** The same, but no more bytes than this. */
    public BatchLimit withBytes(long most) {
        return new BatchLimit(records, most);
    }
}
