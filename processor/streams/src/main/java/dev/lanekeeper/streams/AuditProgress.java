package dev.lanekeeper.streams;

/** Hears how far an audit has read. Called on the thread that runs the audit, a few times a second. */
@FunctionalInterface
public interface AuditProgress {
    /**
     * So far.
     *
     * @param read offsets read, of both topics
     * @param total offsets there are to read; may grow while records are written
     */
    void read(long read, long total);
}
