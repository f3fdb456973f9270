package dev.lanekeeper.engine.intake;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A moment by which something has to be over, on a clock of elapsed time. Immutable. A timeout longer than a clock can
 * count, 292 years, ends when the clock does.
 */
public final class Deadline {
    private final LongSupplier nanoTime;
    private final long end;

    private Deadline(LongSupplier nanoTime, long end) {
        this.nanoTime = nanoTime;
        this.end = end;
    }

    /** The moment {@code timeout} from now. */
    public static Deadline in(Duration timeout, LongSupplier nanoTime) {
        // convert() saturates, and the sum may wrap: only differences are ever looked at
        return new Deadline(nanoTime, nanoTime.getAsLong() + TimeUnit.NANOSECONDS.convert(timeout));
    }

    /** Nanoseconds until then; 0 if it has passed. */
    public long leftNanos() {
        return Math.max(0, end - nanoTime.getAsLong());
    }

    /** Time until then, but no more than {@code longest}; zero if it has passed. */
    public Duration left(Duration longest) {
        Duration left = Duration.ofNanos(leftNanos());
        return left.compareTo(longest) < 0 ? left : longest;
    }

    /** Whether it is later than that. */
    public boolean passed() {
        return leftNanos() == 0;
    }

    /** The earlier of the two, which are on the same clock. */
    public Deadline or(Deadline other) {
        return leftNanos() <= other.leftNanos() ? this : other;
    }
}
