package dev.lanekeeper.benchmarks.serial;

import java.util.concurrent.Callable;

/** Work in the form that each executor takes, so that none of them pays for an adapter. */
public interface Task extends Runnable, Callable<Boolean> {
    @Override
    default Boolean call() {
        run();
        return true;
    }
}
