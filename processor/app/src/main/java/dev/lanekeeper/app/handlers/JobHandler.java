package dev.lanekeeper.app.handlers;

import dev.lanekeeper.engine.handler.AsyncHandler;
import dev.lanekeeper.engine.handler.Handler;
import dev.lanekeeper.message.Job;

/** A handler of jobs in one of the two forms that the engine takes. The key is the record key as text. */
public sealed interface JobHandler {
    /** Work on the calling thread. */
    record Blocking(Handler<String, Job> handler) implements JobHandler {}

    /** Work that ends later. */
    record Async(AsyncHandler<String, Job> handler) implements JobHandler {}

    /** The handler itself, as it was given. */
    Object handler();
}
