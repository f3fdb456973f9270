package dev.lanekeeper.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Time that stands still until a test moves it. Reading and setting alarms is thread-safe; alarms go off on the thread
 * that calls {@link #advance}, in order of time and, at one time, of having been set.
 *
 * <p>{@link #nanoTime} begins five seconds before the end of {@code long}, as {@link System#nanoTime} may: code that
 * compares two readings instead of their difference does not survive here.
 */
public final class ManualClock implements InstantSource {
    private static final long ORIGIN_NANOS =
            Long.MAX_VALUE - Duration.ofSeconds(5).toNanos();

    private final Instant start;
    private final PriorityQueue<Alarm> alarms =
            new PriorityQueue<>(Comparator.comparingLong(Alarm::dueNanos).thenComparingLong(Alarm::number));
    private long elapsedNanos;
    private long alarmsSet;
    private boolean advancing;

    /**
     * Something to do at a time.
     *
     * @param dueNanos when, counted from the clock's start
     * @param number tells apart what is due at one time
     * @param action what
     */
    record Alarm(long dueNanos, long number, Runnable action) {}

    /** A clock that stands at the beginning of 2026, UTC. */
    public ManualClock() {
        this(Instant.parse("2026-01-01T00:00:00Z"));
    }

    /** A clock that stands at {@code start}. */
    public ManualClock(Instant start) {
        this.start = start;
    }

    @Override
    public synchronized Instant instant() {
        return start.plusNanos(elapsedNanos);
    }

    /** The time in nanoseconds, from no meaningful origin. */
    public synchronized long nanoTime() {
        return ORIGIN_NANOS + elapsedNanos;
    }

    /** This clock where a {@code System::nanoTime} is expected. */
    public LongSupplier nanos() {
        return this::nanoTime;
    }

    /**
     * Moves time on, and runs what becomes due on the way, each at its own time; also what that sets in turn.
     * {@link Duration#ZERO} runs what is due now.
     *
     * @throws IllegalStateException if called by something that runs in an {@code advance}
     */
    public void advance(Duration by) {
        if (by.isNegative()) {
            throw new IllegalArgumentException("time does not go back: " + by);
        }
        long until = begin(by.toNanos());
        try {
            for (Alarm next = takeDue(until); next != null; next = takeDue(until)) {
                next.action().run();
            }
        } finally {
            end();
        }
    }

    private synchronized long begin(long byNanos) {
        if (advancing) {
            throw new IllegalStateException("time is being moved already; let one call return first");
        }
        advancing = true;
        return elapsedNanos + byNanos;
    }

    /** Once nothing is due, time is where it was to be moved. */
    private synchronized @Nullable Alarm takeDue(long untilNanos) {
        Alarm next = alarms.peek();
        if (next == null || next.dueNanos() > untilNanos) {
            elapsedNanos = untilNanos;
            return null;
        }
        elapsedNanos = Math.max(elapsedNanos, next.dueNanos());
        return alarms.remove();
    }

    private synchronized void end() {
        advancing = false;
    }

    synchronized Alarm set(long delayNanos, Runnable action) {
        Alarm alarm = new Alarm(elapsedNanos + Math.max(0, delayNanos), alarmsSet++, action);
        alarms.add(alarm);
        return alarm;
    }

    synchronized void cancel(Alarm alarm) {
        alarms.remove(alarm);
    }

    synchronized long remainingNanos(Alarm alarm) {
        return alarm.dueNanos() - elapsedNanos;
    }

    @Override
    public String toString() {
        return "ManualClock at " + instant();
    }
}
