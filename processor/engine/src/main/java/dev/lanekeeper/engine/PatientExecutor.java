package dev.lanekeeper.engine;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands tasks to an executor, and once more after a pause if it refuses one, because it is full, there is no thread to be had, or
 * it is broken: a record that heads its lane can't be left out without its successors overtaking it. Thread-safe.
 */
final class PatientExecutor implements Executor {
    private static final Logger log = LoggerFactory.getLogger(PatientExecutor.class);
    private static final Duration PAUSE = Duration.ofMillis(10);

    private final Executor given;
    private final Timer timer;
    private volatile boolean refusing;

    PatientExecutor(Executor given, Timer timer) {
        this.given = given;
        this.timer = timer;
    }

    /**
     * Runs {@code task} once, sooner or later.
     *
     * @throws RejectedExecutionException or whatever else the executor refuses with, if the engine is closed
     */
    @Override
    public void execute(Runnable task) {
        try {
            given.execute(task);
            refusing = false;
        } catch (RuntimeException | Error e) { // RejectedExecutionException, no thread to be had, or a fault of its own
            if (!timer.schedule(PAUSE, () -> execute(task))) {
                throw e;
            }
            if (!refusing) {
                refusing = true;
                log.warn("the executor refuses work, which is offered again until it takes it: {}", Complaints.text(e));
            }
        }
    }
}
