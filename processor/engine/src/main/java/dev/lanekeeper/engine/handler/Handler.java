package dev.lanekeeper.engine.handler;

/**
 * Work to do for one record, on the calling thread. Called for one record of a lane at a time, in offset order, and for
 * records of different lanes at once: an implementation must be thread-safe.
 *
 * <p>The record is done when this returns. Any throwable is a failed attempt: it is retried in its lane as the {@link
 * RetryPolicy} says; what follows the last attempt, and which failures are not tried again, is the {@link FailurePolicy}'s to
 * say. {@link TerminalException} is not tried again, unless a rule for it says otherwise.
 *
 * @param <K> the decoded key
 * @param <V> the decoded value
 */
@FunctionalInterface
public interface Handler<K, V> {
    /** Handles one record; see the class. A handler may be called again for a record it has handled: be idempotent. */
    void handle(Delivery<K, V> delivery) throws Exception;
}
