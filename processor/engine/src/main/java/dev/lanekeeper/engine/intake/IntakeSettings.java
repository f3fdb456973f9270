package dev.lanekeeper.engine.intake;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The limits of the intake.
 *
 * @param bufferRecords records delivered and not done, over all partitions, above which fetching is held back
 * @param bufferBytes the same in bytes of keys and values
 * @param window bits of the map that a commit has room for: about one for each offset of a partition from the first that is
 *     not done to the last delivered, but no more than 200 for a stretch of done ones, however long
 * @param commitInterval time between commits
 * @param drainTimeout longest wait for running records when a partition is revoked, or the engine closes
 */
public record IntakeSettings(
        int bufferRecords, long bufferBytes, int window, Duration commitInterval, Duration drainTimeout) {
    /** Checks the components; each message names the one at fault and its value. */
    public IntakeSettings {
        requirePositive("bufferRecords", bufferRecords);
        requirePositive("bufferBytes", bufferBytes);
        requirePositive("window", window);
        requirePositive("commitInterval", TimeUnit.NANOSECONDS.convert(commitInterval));
        if (drainTimeout.isNegative()) {
            throw new IllegalArgumentException("drainTimeout must not be negative: " + drainTimeout);
        }
    }

    /** The same but for one component. */
    public IntakeSettings withBufferRecords(int records) {
        return new IntakeSettings(records, bufferBytes, window, commitInterval, drainTimeout);
    }

    /** The same but for one component. */
    public IntakeSettings withBufferBytes(long bytes) {
        return new IntakeSettings(bufferRecords, bytes, window, commitInterval, drainTimeout);
    }

    /** The same but for one component. */
    public IntakeSettings withCommitInterval(Duration interval) {
        return new IntakeSettings(bufferRecords, bufferBytes, window, interval, drainTimeout);
    }

    /** The same but for one component. */
    public IntakeSettings withDrainTimeout(Duration timeout) {
        return new IntakeSettings(bufferRecords, bufferBytes, window, commitInterval, timeout);
    }

    private static void requirePositive(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be positive: " + value);
        }
    }
}
