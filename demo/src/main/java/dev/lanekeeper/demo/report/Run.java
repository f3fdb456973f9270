package dev.lanekeeper.demo.report;

import dev.lanekeeper.message.Outcome;
import java.time.Instant;

/**
 * The time that one job held its customer's lane.
 *
 * @param customerId whose lane
 * @param startNanos from an arbitrary origin, the same for all runs
 * @param endNanos from the same origin, not before the start
 */
record Run(String customerId, long startNanos, long endNanos) {
    static Run of(String customerId, Outcome outcome) {
        long start = nanos(outcome.startedAt());
        return new Run(customerId, start, Math.max(start, nanos(outcome.endedAt())));
    }

    private static long nanos(Instant instant) {
        return instant.getEpochSecond() * 1_000_000_000L + instant.getNano();
    }
}
