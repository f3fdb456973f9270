package dev.lanekeeper.benchmarks.memory;

import dev.lanekeeper.benchmarks.Keys;
import dev.lanekeeper.benchmarks.locks.KeyLock;
import dev.lanekeeper.benchmarks.locks.LockPeer;
import dev.lanekeeper.benchmarks.serial.KeyExecutor;
import dev.lanekeeper.benchmarks.serial.SerialPeer;
import dev.lanekeeper.benchmarks.serial.Task;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * Reads how much heap keys take while they are in use, and how much they leave. Meant for a JVM in which nothing else goes on:
 * {@link #main} is one reading.
 */
public final class Footprint {
    private static final int IN_LINE = 10_000;

    private Footprint() {}

    /**
     * Prints one reading, in bytes: {@code held}, {@code waiting}, {@code locksLeft} or {@code tasksLeft}, then the peer, then
     * the number of keys.
     */
    public static void main(String[] args) throws InterruptedException {
        int keys = Integer.parseInt(args[2]);
        long bytes = switch (args[0]) {
            case "held" -> held(LockPeer.valueOf(args[1]).create(), keys);
            case "waiting" -> waiting(SerialPeer.valueOf(args[1]), keys);
            case "locksLeft" -> left(LockPeer.valueOf(args[1]).create(), keys);
            case "tasksLeft" -> left(SerialPeer.valueOf(args[1]), keys);
            default ->
                throw new IllegalArgumentException("reading must be held, waiting, locksLeft or tasksLeft: " + args[0]);
        };
        System.out.println(bytes);
    }

    /** Heap taken by so many keys, all held at once; keys and the list of what is held not counted. */
    static <T> long held(KeyLock<T> lock, int count) {
        String[] keys = Keys.of(count);
        Object[] tokens = new Object[count];
        long before = heap();
        for (int i = 0; i < count; i++) {
            tokens[i] = lock.enter(keys[i]);
        }
        return heapKeeping(lock, keys, tokens) - before;
    }

    /** Heap taken by so many keys with one task each that waits for a worker. */
    static long waiting(SerialPeer peer, int count) throws InterruptedException {
        String[] keys = Keys.of(count);
        Closed workers = new Closed();
        KeyExecutor executor = peer.on(workers);
        workers.occupy(executor);
        Task nothing = () -> {};
        long before = heap();
        for (String key : keys) {
            executor.submit(key, nothing);
        }
        long taken = heapKeeping(executor, keys) - before;
        workers.release();
        return taken;
    }

    /** Heap that so many keys leave, each entered and left once. */
    static <T> long left(KeyLock<T> lock, int count) {
        lock.run(Keys.of(-1L), () -> {});
        long before = heap();
        for (int i = 0; i < count; i++) {
            lock.run(Keys.of((long) i), () -> {});
        }
        return heapKeeping(lock) - before;
    }

    /** Heap that so many keys leave, each with one task that ran. */
    static long left(SerialPeer peer, int count) {
        ExecutorService workers = Executors.newFixedThreadPool(2);
        KeyExecutor executor = peer.on(workers);
        Semaphore window = new Semaphore(IN_LINE);
        Task release = window::release;
        submit(executor, window, release, -IN_LINE, 0); // so that queues have grown to their size
        long before = heap();
        submit(executor, window, release, 0, count);
        long left = heapKeeping(executor) - before;
        workers.shutdown();
        return left;
    }

    private static void submit(KeyExecutor executor, Semaphore window, Task release, int from, int to) {
        for (int i = from; i < to; i++) {
            window.acquireUninterruptibly();
            executor.submit(Keys.of((long) i), release);
        }
        window.acquireUninterruptibly(IN_LINE);
        window.release(IN_LINE);
    }

    /** What is reachable, all of {@code kept} with certainty. */
    private static long heapKeeping(Object... kept) {
        try {
            return heap();
        } finally {
            for (Object object : kept) {
                Reference.reachabilityFence(object);
            }
        }
    }

    /** What is reachable, after collections that no longer find anything. */
    private static long heap() {
        long used = Long.MAX_VALUE;
        for (int i = 0; i < 10; i++) {
            System.gc();
            long now = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            if (i > 0 && now >= used) {
                return used;
            }
            used = Math.min(used, now);
        }
        return used;
    }

    /** Two workers that stand still until released. */
    private static final class Closed implements Executor {
        private static final int WORKERS = 2;

        private final ExecutorService workers = Executors.newFixedThreadPool(WORKERS);
        private final CountDownLatch occupied = new CountDownLatch(WORKERS);
        private final CountDownLatch released = new CountDownLatch(1);

        @Override
        public void execute(Runnable task) {
            workers.execute(task);
        }

        void occupy(KeyExecutor executor) throws InterruptedException {
            for (int i = 1; i <= WORKERS; i++) {
                executor.submit(Keys.of((long) -i), this::standStill);
            }
            occupied.await();
        }

        private void standStill() {
            occupied.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        void release() {
            released.countDown();
            workers.shutdown();
        }
    }
}
