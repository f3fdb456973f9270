package dev.lanekeeper.engine;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Platform threads, which stay for a while when there is nothing to do. Thread-safe. */
final class PooledWorkers implements Workers {
    private static final int IDLE_SECONDS = 10;

    private final ThreadPoolExecutor pool;
    private final int most;

    PooledWorkers(ThreadFactory factory, int concurrency, int most) {
        this.most = most;
        int threads = Math.min(concurrency, most);
        pool = new ThreadPoolExecutor(
                threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
        pool.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable task) {
        pool.execute(task);
    }

    @Override
    public synchronized void resize(int concurrency) {
        int threads = Math.min(concurrency, most);
        if (threads > pool.getMaximumPoolSize()) { // the pool wants core <= maximum at all times
            pool.setMaximumPoolSize(threads);
            pool.setCorePoolSize(threads);
        } else {
            pool.setCorePoolSize(threads);
            pool.setMaximumPoolSize(threads);
        }
    }

    @Override
    public void close(boolean interrupt) {
        if (interrupt) {
            pool.shutdownNow();
        } else {
            pool.shutdown();
        }
    }
}
