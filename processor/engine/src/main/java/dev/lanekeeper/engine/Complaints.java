package dev.lanekeeper.engine;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says that attempts fail, but not each time: one line for all of a while, with the latest as an example. Thread-safe.
 */
final class Complaints {
    private static final Logger log = LoggerFactory.getLogger(Complaints.class);
    private static final long WHILE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final LongSupplier nanoTime;
    private final AtomicLong unsaid = new AtomicLong();
    private final AtomicLong nextNanos;

    Complaints(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.nextNanos = new AtomicLong(nanoTime.getAsLong());
    }

    /** Notes a failed attempt; answers how many the line speaks of that is due now, or 0 if none is. */
    long due() {
        long count = unsaid.incrementAndGet();
        long next = nextNanos.get();
        long now = nanoTime.getAsLong();
        if (now - next < 0 || !nextNanos.compareAndSet(next, now + WHILE_NANOS)) {
            return 0;
        }
        unsaid.addAndGet(-count);
        return count;
    }

    void failed(Object record, int attempt, Throwable cause) {
        long attempts = due();
        if (attempts > 0) {
            log.warn(
                    "failed attempts since the last such line: {}; the latest was attempt {} of {}: {}",
                    attempts,
                    record,
                    attempt,
                    text(cause));
        }
    }

    /** {@code cause} in words; whatever its methods do, which are foreign code. */
    static String text(Throwable cause) {
        try {
            String text = cause.toString();
            return text == null ? cause.getClass().getName() : text;
        } catch (Throwable t) {
            return cause.getClass().getName();
        }
    }
}
