package dev.lanekeeper.engine;

import dev.lanekeeper.engine.handler.FailurePolicy;
import dev.lanekeeper.engine.handler.FailureStage;
import dev.lanekeeper.engine.handler.OnFailure;
import dev.lanekeeper.engine.handler.RetryLaterException;
import dev.lanekeeper.engine.handler.RetryPolicy;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says what follows a failure. The exceptions and the randomness that it asks are foreign code; whatever they throw, there is
 * a verdict. Thread-safe.
 */
final class Judge {
    private static final Logger log = LoggerFactory.getLogger(Judge.class);

    private final RetryPolicy retry;
    private final FailurePolicy policy;
    private final RandomGenerator random;

    Judge(RetryPolicy retry, FailurePolicy policy, RandomGenerator random) {
        this.retry = retry;
        this.policy = policy;
        this.random = random;
    }

    /** Whether the failure is to be waited for until it passes by itself; with the stage {@code DECODE}, or another. */
    boolean holds(Object record, FailureStage stage, Throwable cause) {
        try {
            FailurePolicy.Verdict verdict = policy.judge(cause);
            return verdict == FailurePolicy.Verdict.HOLD
                    || (stage == FailureStage.DECODE
                            && verdict == FailurePolicy.Verdict.RETRY
                            && cause instanceof RetryLaterException);
        } catch (Throwable t) {
            log.warn("the failure of {} can't be judged by its class: {}", record, Complaints.text(t));
            return false;
        }
    }

    /** How long to wait for the next try of a record that is held; {@code null} if its time is over. */
    @Nullable
    Duration delayWhileHeld(Object record, Held held, Throwable cause) {
        Duration backoff = Duration.ZERO; // which the policy makes longer
        try {
            backoff = retry.delay(held.tries(), cause, random);
        } catch (Throwable t) {
            log.warn("nobody can say how long {} is to be held, so not for long: {}", record, Complaints.text(t));
        }
        return policy.waitWhileHeld(held.time(), backoff).orElse(null);
    }

    /** How long to wait for the attempt after {@code attempts} of {@code record}; {@code null} if there is to be none. */
    @Nullable
    Duration delayAfter(Object record, int attempts, Throwable cause) {
        try {
            return policy.judge(cause) == FailurePolicy.Verdict.RETRY && retry.allows(attempts)
                    ? retry.delay(attempts, cause, random)
                    : null;
        } catch (Throwable t) {
            log.warn(
                    "nobody can say how long to wait after the failure of {}, so it is not tried again: {}",
                    record,
                    Complaints.text(t));
            return null;
        }
    }

    /** What follows a failure that no attempt follows. */
    OnFailure afterLast(Object record, Throwable cause) {
        try {
            return switch (policy.judge(cause)) {
                case RETRY, HOLD, FINAL -> policy.onFailure();
                case DEAD_LETTER -> OnFailure.SKIP_TO_DEAD_LETTERS;
                case PARK -> OnFailure.PARK_KEY;
                case STOP -> OnFailure.STOP_PARTITION;
            };
        } catch (Throwable t) {
            log.warn("the failure of {} can't be judged by its class: {}", record, Complaints.text(t));
            return policy.onFailure();
        }
    }

    /** What is in the wrapping that stages put around what they fail with. */
    static Throwable unwrapped(Throwable thrown) {
        try {
            Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : null;
            return cause == null ? thrown : cause;
        } catch (Throwable t) {
            return thrown;
        }
    }
}
