package dev.lanekeeper.benchmarks;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Finds out whether a second section runs while the first, which waits for just that, is not over. The first gives up after a
 * while: a peer that excludes costs that time, one that does not is found at once.
 */
public final class Overlap {
    private final CountDownLatch firstInside = new CountDownLatch(1);
    private final CountDownLatch secondInside = new CountDownLatch(1);
    private final CountDownLatch bothOver = new CountDownLatch(2);
    private final Duration patience;
    private volatile boolean found;

    public Overlap(Duration patience) {
        this.patience = patience;
    }

    /** The section that waits. */
    public void first() {
        firstInside.countDown();
        found = reached(secondInside, patience);
        bothOver.countDown();
    }

    /** The section that must not begin before the first is over. */
    public void second() {
        secondInside.countDown();
        bothOver.countDown();
    }

    /** Waits until the first section has begun. */
    public void awaitFirst() {
        reached(firstInside, Duration.ofSeconds(30));
    }

    /** Waits until both are over; whether they overlapped. */
    public boolean found() {
        if (!reached(bothOver, Duration.ofSeconds(60))) {
            throw new AssertionError("a section never ran");
        }
        return found;
    }

    private static boolean reached(CountDownLatch latch, Duration patience) {
        try {
            return latch.await(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
