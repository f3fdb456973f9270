package dev.lanekeeper.demo;

import dev.lanekeeper.app.handlers.ConfigurableHandler;
import dev.lanekeeper.engine.handler.Delivery;
import dev.lanekeeper.engine.handler.Handler;
import dev.lanekeeper.engine.handler.TerminalException;
import dev.lanekeeper.message.Job;
import dev.lanekeeper.simulator.workload.Workload;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Stands in for real work: blocks its thread for a moment, as a call to a database would, and refuses jobs of the kind
 * {@value Workload#POISON_KIND}. Thread-safe once configured.
 */
public final class DemoHandler implements Handler<String, Job>, ConfigurableHandler {
    /** How long a job takes on average, in milliseconds; fractions are allowed. */
    public static final String WORK_MS = "handler.demo.work.ms";

    private static final String STANDARD_WORK_MS = "2";
    private static final double LONGEST_WORK_MS = 60_000;

    private volatile long workNanos = nanos(STANDARD_WORK_MS);

    @Override
    public void configure(Map<String, String> settings) {
        workNanos = nanos(settings.getOrDefault(WORK_MS, STANDARD_WORK_MS));
    }

    private static long nanos(String workMs) {
        double millis;
        try {
            millis = Double.parseDouble(workMs);
        } catch (NumberFormatException e) {
            millis = Double.NaN;
        }
        if (!(millis >= 0 && millis <= LONGEST_WORK_MS)) {
            throw new IllegalArgumentException(
                    WORK_MS + " is " + workMs + "; allowed: a number from 0 to " + LONGEST_WORK_MS);
        }
        return (long) (millis * 1e6);
    }

    @Override
    public void handle(Delivery<String, Job> delivery) throws InterruptedException {
        Job job = Objects.requireNonNull(delivery.value(), "a job handler is never given a record without a job");
        if (job.kind().equals(Workload.POISON_KIND)) {
            throw new TerminalException("jobs of kind " + job.kind() + " are refused: " + job.id());
        }
        block(workNanos(job));
    }

    /** Half to one and a half of the average, always the same for one job. */
    private long workNanos(Job job) {
        return workNanos / 2 + Math.floorMod(job.id().hashCode() * 31, 1000) * workNanos / 1000;
    }

    private static void block(long nanos) throws InterruptedException {
        long deadline = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = deadline - System.nanoTime()) {
            if (Thread.interrupted()) {
                throw new InterruptedException(
                        "interrupted with " + TimeUnit.NANOSECONDS.toMillis(left) + " ms of work left");
            }
            LockSupport.parkNanos(left);
        }
    }
}
