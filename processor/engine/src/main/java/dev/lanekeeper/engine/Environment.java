package dev.lanekeeper.engine;

import dev.lanekeeper.engine.result.Transactions;
import dev.lanekeeper.lanes.LaneThreads;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** What an engine takes from the machine it runs on, so that a simulation can bring its own. */
interface Environment {
    /** The machine itself. */
    Environment MACHINE = new Environment() {};

    /** Time that passes, in nanoseconds from an arbitrary origin. Any thread. */
    default long nanoTime() {
        return System.nanoTime();
    }

    /** Lets time pass on the poll thread: at most so many nanoseconds, or until it is unparked. */
    default void park(long nanos) {
        LockSupport.parkNanos(nanos);
    }

    /** Wakes up what waits for a time. */
    default Timer timer(String name) {
        return ScheduledTimer.start(name);
    }

    /** Ends waits for a pause; {@code null} to have the lanes bring their own. */
    default @Nullable ScheduledExecutorService laneAlarms() {
        return null;
    }

    /** The thread that runs transactions, one after the other. */
    default ExecutorService transactionThread(String name) {
        return new ThreadPoolExecutor(
                1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), LaneThreads.factory(name + "-transactions"));
    }

    /** How the poll thread waits for that one. */
    default Transactions.Waiting waiting() {
        return Transactions.Waiting.BLOCKING;
    }

    /** Threads for what is likely to block: none while all is well. */
    default ExecutorService probes(String name) {
        return new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE, // one for each topic that can't be reached
                10,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                LaneThreads.factory(name + "-probe"));
    }
}
