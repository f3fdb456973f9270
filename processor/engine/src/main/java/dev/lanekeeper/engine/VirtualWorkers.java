package dev.lanekeeper.engine;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Threads that end when there is nothing to do: a virtual one is made in less time than it takes to wait for work in a pool
 * and to be woken up. What is beyond the most threads waits in line. Thread-safe; the lock is held for an operation on
 * collections, never while a thread is started or a task runs.
 */
final class VirtualWorkers implements Workers {
    private final ThreadFactory factory;
    private final int most;

    // guarded by this
    private final Set<Thread> threads = new HashSet<>();
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int limit;
    private boolean closed;

    VirtualWorkers(ThreadFactory factory, int concurrency, int most) {
        this.factory = factory;
        this.most = most;
        limit = Math.min(concurrency, most);
    }

    @Override
    public void execute(Runnable task) {
        Thread worker;
        synchronized (this) {
            if (closed) {
                throw new RejectedExecutionException("the engine's workers are shut down");
            }
            if (threads.size() >= limit) {
                waiting.add(task);
                return;
            }
            worker = newThread(task);
        }
        start(worker);
    }

    /** Under the lock. */
    private Thread newThread(Runnable task) {
        Thread worker = factory.newThread(() -> work(task));
        threads.add(worker);
        return worker;
    }

    private void start(Thread worker) {
        try {
            worker.start();
        } catch (Throwable t) { // no memory for another one
            synchronized (this) {
                threads.remove(worker);
            }
            throw t;
        }
    }

    private void work(Runnable first) {
        Thread worker = Thread.currentThread();
        for (Runnable task = first; task != null; task = next(worker)) {
            try {
                task.run();
            } catch (Throwable t) { // against the rules; those in line go on all the same
                worker.getUncaughtExceptionHandler().uncaughtException(worker, t);
            }
        }
    }

    /** What the thread does next; {@code null} if it is to end. */
    private synchronized @Nullable Runnable next(Thread worker) {
        Runnable next = threads.size() > limit ? null : waiting.poll();
        if (next == null) {
            threads.remove(worker);
        } else {
            Thread.interrupted(); // that was meant for the task before
        }
        return next;
    }

    @Override
    public void resize(int concurrency) {
        synchronized (this) {
            limit = Math.min(concurrency, most);
        }
        for (Runnable task = admitted(); task != null; task = admitted()) {
            try {
                execute(task);
            } catch (Throwable t) { // closed meanwhile, or no memory: those that are here may take it
                putBack(task);
                throw t;
            }
        }
    }

    /** The first in line, if there may be a thread more for it. */
    private synchronized @Nullable Runnable admitted() {
        return !closed && threads.size() < limit ? waiting.poll() : null;
    }

    private synchronized void putBack(Runnable task) {
        waiting.add(task);
    }

    @Override
    public void close(boolean interrupt) {
        List<Thread> running = List.of();
        synchronized (this) {
            closed = true;
            if (interrupt) {
                waiting.clear();
                running = List.copyOf(threads);
            }
        }
        running.forEach(Thread::interrupt);
    }
}
