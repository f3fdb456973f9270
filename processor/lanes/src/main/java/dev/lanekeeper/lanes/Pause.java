package dev.lanekeeper.lanes;

/**
 * A time in which nothing runs in any lane, until {@link #close}. Belongs to no thread: any may end it. Thread-safe.
 */
public interface Pause extends AutoCloseable {
    /**
     * Lets the lanes go on.
     *
     * @throws IllegalStateException if it was closed before; that changes nothing
     */
    @Override
    void close();
}
