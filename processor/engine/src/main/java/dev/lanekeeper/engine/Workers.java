package dev.lanekeeper.engine;

import dev.lanekeeper.lanes.LaneThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

/**
 * Threads of an engine's own: virtual where the JVM has them, as many at most as attempts may be under way, and none while
 * there is nothing to do. Thread-safe.
 */
interface Workers extends Executor {
    /** {@code most}: no more threads than this, whatever the concurrency. */
    static Workers of(String name, int concurrency, int most) {
        ThreadFactory threads = LaneThreads.factory(name + "-worker");
        return LaneThreads.virtual()
                ? new VirtualWorkers(threads, concurrency, most)
                : new PooledWorkers(threads, concurrency, most);
    }

    /** More threads at once, or fewer as those that are too many come to the end of what they do; none is interrupted. */
    void resize(int concurrency);

    /** Refuses what comes from now on. {@code interrupt}: what still runs, and forget what waits. */
    void close(boolean interrupt);
}
