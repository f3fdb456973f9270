package dev.lanekeeper.benchmarks.gate;

import dev.lanekeeper.lanes.Lanes;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Tasks without end, over many keys, with a bounded number in line. One feeder thread submits them; each key numbers its
 * tasks, and each task looks whether it is the next of its key.
 */
final class Load implements AutoCloseable {
    private static final int IN_LINE_PER_THREAD = 300;

    private final Lanes<Integer> lanes;
    private final PauseUnderLoad.Settings settings;
    private final Semaphore window;
    private final Thread feeder = new Thread(this::feed, "feeder");

    /** Confined to the feeder. */
    private final int[] numbers;

    /** What ran last of each key; guarded by its lane. */
    private final int[] seen;

    private final AtomicInteger running = new AtomicInteger();
    private final AtomicLong begun = new AtomicLong();
    private final LongAdder executed = new LongAdder();
    private final LongAdder disordered = new LongAdder();
    private final LongAccumulator longestBody = new LongAccumulator(Math::max, 0);
    private final LongAccumulator lastEnd;
    private volatile boolean stopped;
    private volatile long submitted;

    Load(Lanes<Integer> lanes, PauseUnderLoad.Settings settings) {
        this.lanes = lanes;
        this.settings = settings;
        window = new Semaphore(settings.threads() * IN_LINE_PER_THREAD);
        numbers = new int[settings.keys()];
        seen = new int[settings.keys()];
        long origin = System.nanoTime();
        lastEnd = new LongAccumulator((a, b) -> a - b >= 0 ? a : b, origin);
    }

    void start() {
        feeder.start();
    }

    /** Stops submitting and waits until all that was submitted is in line. */
    void stop() {
        stopped = true;
        window.release();
        try {
            feeder.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        stop();
    }

    private void feed() {
        Random random = new Random(42);
        long count = 0;
        while (!stopped) {
            window.acquireUninterruptibly();
            int key = random.nextInt(numbers.length);
            int number = ++numbers[key];
            var unused = lanes.submit(key, Executors.callable(() -> body(key, number)));
            submitted = ++count;
        }
    }

    private void body(int key, int number) {
        long start = System.nanoTime();
        running.incrementAndGet();
        begun.incrementAndGet();
        if (seen[key] != number - 1) {
            disordered.increment();
        }
        seen[key] = number;
        LockSupport.parkNanos(settings.body().toNanos());
        executed.increment();
        long end = System.nanoTime();
        longestBody.accumulate(end - start);
        lastEnd.accumulate(end);
        running.decrementAndGet();
        window.release();
    }

    /** When the last body ended that has ended so far; at least {@code since}. */
    long lastEnd(long since) {
        long end = lastEnd.get();
        return end - since >= 0 ? end : since;
    }

    /** Bodies that run now or begin within {@code time}. */
    long bodiesWithin(Duration time) {
        long now = running.get();
        long begunBefore = begun.get();
        LockSupport.parkNanos(time.toNanos());
        return now + begun.get() - begunBefore;
    }

    double tasksPerSecond(Duration time) {
        long executedBefore = executed.sum();
        long start = System.nanoTime();
        LockSupport.parkNanos(time.toNanos());
        return (executed.sum() - executedBefore) * 1e9 / (System.nanoTime() - start);
    }

    long longestBody() {
        return longestBody.get();
    }

    long submitted() {
        return submitted;
    }

    long executed() {
        return executed.sum();
    }

    long disordered() {
        return disordered.sum();
    }
}
