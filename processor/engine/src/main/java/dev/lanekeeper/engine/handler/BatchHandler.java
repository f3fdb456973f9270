package dev.lanekeeper.engine.handler;

import java.util.List;

/**
 * Work to do for several records of one customer at once, on the calling thread: say, one write for all of them. Called for
 * one batch of a lane at a time, and for those of different lanes at once: an implementation must be thread-safe.
 *
 * <p>A batch is what waits in the lane at the moment, up to the {@link BatchLimit}, and of one partition; it never waits for
 * more to come, so it is often of one record. It is one attempt: it takes one of the engine's concurrency, one token of each
 * rate limit, and the time of one {@link HandlerTimeout}.
 *
 * <p>All its records are done when this returns. Any throwable is a failed attempt of them all, and what they emitted is
 * dropped: the batch is gathered anew and tried again as the {@link RetryPolicy} says. When no attempt of the batch is to
 * follow, each of its records is tried alone, in order, with all the attempts that the policy allows, so that the one at fault
 * is found: only for a record alone, what the {@link FailurePolicy} says of a final failure is done.
 *
 * @param <K> the decoded key
 * @param <V> the decoded value
 */
@FunctionalInterface
public interface BatchHandler<K, V> {
    /**
     * Handles the records, which are at least one, in the order of their offsets; see the class. Let it have no effect if it
     * throws, as a transaction does, and be idempotent: it may be called again for records that it has handled, in
     * another batch.
     */
    void handle(List<Delivery<K, V>> batch) throws Exception;
}
