package dev.lanekeeper.app.handlers;

import dev.lanekeeper.engine.handler.AsyncHandler;
import dev.lanekeeper.engine.handler.Handler;
import dev.lanekeeper.message.Job;
import org.slf4j.LoggerFactory;

/**
 * A handler of jobs in one of the two forms that the engine takes, closed once by whoever made it. The key is the record
 * key as text.
 */
public sealed interface JobHandler extends AutoCloseable {
    /** Work on the calling thread. */
    record Blocking(Handler<String, Job> handler) implements JobHandler {}

    /** Work that ends later. */
    record Async(AsyncHandler<String, Job> handler) implements JobHandler {}

    /** The handler itself, as it was given. */
    Object handler();

    /** Closes the handler if it can be closed; a failure to do so is only logged, for its work is done. */
    @Override
    default void close() {
        if (handler() instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Exception e) {
                LoggerFactory.getLogger(JobHandler.class).warn("The handler {} could not be closed", handler(), e);
            }
        }
    }
}
