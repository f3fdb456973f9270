package dev.lanekeeper.lanes;

/**
 * Ownership of a lane, or of several, until {@link #close}. Belongs to no thread: it may be taken on one and given back on
 * another. Thread-safe.
 */
public interface Hold extends AutoCloseable {
    /**
     * Gives the lanes back.
     *
     * @throws IllegalStateException if they were given back before; that changes nothing, above all not for the next holder
     */
    @Override
    void close();
}
