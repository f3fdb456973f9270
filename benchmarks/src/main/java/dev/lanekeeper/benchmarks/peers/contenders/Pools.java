package dev.lanekeeper.benchmarks.peers.contenders;

import dev.lanekeeper.lanes.LaneThreads;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Threads for peers made by hand. */
final class Pools {
    private Pools() {}

    /** One virtual thread for each task, or a fixed number of platform threads. */
    static ExecutorService of(boolean virtual, int threads) {
        return virtual ? perTask() : Executors.newFixedThreadPool(threads);
    }

    private static ExecutorService perTask() {
        if (!LaneThreads.virtual()) {
            throw new IllegalStateException("virtual threads need Java 21 or later: " + Runtime.version());
        }
        try { // compiled for 17
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("virtual threads are part of Java 21 and later", e);
        }
    }
}
