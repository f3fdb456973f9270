package dev.lanekeeper.engine;

import dev.lanekeeper.engine.handler.RateLimit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The rate limit of each lane. A lane's bucket is one number (the virtual scheduling of ATM, ITU-T I.371): when it will be
 * full again. It outlives the lane, or a customer whose records come one by one would never be limited; once it is full it
 * says nothing and may go, so what is remembered are the lanes that were used lately.
 *
 * <p>Thread-safe; of one lane, only its head asks.
 */
final class LanePace {
    private static final int SWEEP_FROM = 1_024;

    private final LongSupplier nanoTime;
    private final long origin;
    private final Map<Bytes, Long> fullAt = new ConcurrentHashMap<>();
    private final AtomicBoolean sweeping = new AtomicBoolean();
    private volatile RateLimit limit;

    /** How many buckets make it worth while to look for full ones: twice what the last look left. */
    private volatile int sweepAt = SWEEP_FROM;

    LanePace(RateLimit limit, LongSupplier nanoTime) {
        this.limit = limit;
        this.nanoTime = nanoTime;
        this.origin = nanoTime.getAsLong();
    }

    RateLimit limit() {
        return limit;
    }

    /** From now on, and with full buckets. */
    void limit(RateLimit next) {
        limit = next;
        fullAt.clear();
    }

    /** How many buckets are not known to be full. */
    int remembered() {
        return fullAt.size();
    }

    /** Takes a token of the lane; answers 0, or how many nanoseconds it will be until there is one. */
    long take(Bytes lane) {
        RateLimit now = limit;
        return now.unlimited() ? 0 : take(lane, now.nanosPerToken(), now.burst());
    }

    private long take(Bytes lane, double nanosPerToken, int burst) {
        long now = nanoTime.getAsLong() - origin;
        @Nullable Long known = fullAt.get(lane);
        long full = known == null ? now : Math.max(now, known);
        // with one token taken it must be full in no more than the time in which all of them come back
        double excess = full - now + nanosPerToken - nanosPerToken * burst;
        if (excess >= 1) { // less is rounding
            return (long) Math.ceil(excess);
        }
        fullAt.put(lane, full + (long) Math.ceil(nanosPerToken));
        if (fullAt.size() >= sweepAt && sweeping.compareAndSet(false, true)) {
            sweep(now);
        }
        return 0;
    }

    private void sweep(long now) {
        try {
            fullAt.forEach((lane, full) -> {
                if (full <= now) {
                    fullAt.remove(lane, full); // unless somebody has just taken from it
                }
            });
            sweepAt = Math.max(SWEEP_FROM, 2 * fullAt.size());
        } finally {
            sweeping.set(false);
        }
    }
}
