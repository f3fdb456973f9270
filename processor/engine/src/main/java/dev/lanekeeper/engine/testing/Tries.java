package dev.lanekeeper.engine.testing;

import dev.lanekeeper.engine.handler.FailurePolicy;
import dev.lanekeeper.engine.handler.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The attempts of one record, or of one batch, that have failed by now, and the waits after them. Confined to the test. */
final class Tries {
    /** Of a share that is random nothing is taken off. */
    private static final RandomGenerator NO_JITTER = () -> 0;

    private final RetryPolicy retry;
    private final FailurePolicy failures;
    private final List<Duration> waits = new ArrayList<>();
    private int failed;

    /** How many of them were held. */
    private int held;

    private Duration heldFor = Duration.ZERO;

    Tries(RetryPolicy retry, FailurePolicy failures) {
        this.retry = retry;
        this.failures = failures;
    }

    /** Another one has failed; whether one more follows. */
    boolean again(Throwable failure) {
        failed++;
        Optional<Duration> wait = switch (failures.judge(failure)) {
            case HOLD -> whileHeld(failure);
            case RETRY -> betweenRetries(failure);
            case FINAL, DEAD_LETTER, PARK, STOP -> Optional.empty();
        };
        wait.ifPresent(waits::add);
        return wait.isPresent();
    }

    private Optional<Duration> whileHeld(Throwable failure) {
        held++;
        Optional<Duration> wait = failures.waitWhileHeld(heldFor, retry.delay(held, failure, NO_JITTER));
        heldFor = heldFor.plus(wait.orElse(Duration.ZERO));
        return wait;
    }

    private Optional<Duration> betweenRetries(Throwable failure) {
        int counted = failed - held;
        return retry.allows(counted) ? Optional.of(retry.delay(counted, failure, NO_JITTER)) : Optional.empty();
    }

    int failed() {
        return failed;
    }

    List<Duration> waits() {
        return List.copyOf(waits);
    }
}
