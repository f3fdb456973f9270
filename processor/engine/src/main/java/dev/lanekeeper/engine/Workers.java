package dev.lanekeeper.engine;

import dev.lanekeeper.lanes.LaneThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads of an engine's own: virtual where the JVM has them, as many at most as attempts may be under way, and none while
 * there is nothing to do. Thread-safe.
 */
final class Workers implements Executor {
    private static final int IDLE_SECONDS = 10;

    private final ThreadPoolExecutor pool;
    private final int most;

    /** {@code most}: no more threads than this, whatever the concurrency. */
    Workers(String name, int concurrency, int most) {
        this.most = most;
        int threads = Math.min(concurrency, most);
        pool = new ThreadPoolExecutor(
                threads,
                threads,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                LaneThreads.factory(name + "-worker"));
        pool.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable task) {
        pool.execute(task);
    }

    /** More threads at once, or fewer as those that are too many come to the end of what they do; none is interrupted. */
    synchronized void resize(int concurrency) {
        int threads = Math.min(concurrency, most);
        if (threads > pool.getMaximumPoolSize()) { // the pool wants core <= maximum at all times
            pool.setMaximumPoolSize(threads);
            pool.setCorePoolSize(threads);
        } else {
            pool.setCorePoolSize(threads);
            pool.setMaximumPoolSize(threads);
        }
    }

    /** {@code interrupt}: what still runs, and forget what waits. */
    void close(boolean interrupt) {
        if (interrupt) {
            pool.shutdownNow();
        } else {
            pool.shutdown();
        }
    }
}
