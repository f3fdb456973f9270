package dev.lanekeeper.engine.handler;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * How failures are judged: by the class of what was thrown, and what follows a final one. Immutable, thread-safe.
 *
 * <p>A rule for a class counts for its subclasses too; the most specific one wins. {@link CompletionException} and {@link
 * ExecutionException} are looked through. If there is no rule for a throwable, its cause is looked at in the same way, and so
 * on: so a rule for {@code SocketTimeoutException} holds for one that a client has wrapped. What no rule speaks of is retried.
 * {@link TerminalException} has a rule from the beginning, {@link Verdict#FINAL}.
 *
 * <p>What can't be decoded is dead-lettered at once, unless the rules say {@link Verdict#HOLD} of what the deserializer throws,
 * or it throws a {@link RetryLaterException}, which means the same there.
 *
 * @param onFailure what follows the last attempt
 * @param rules what follows a failure of each class
 * @param holdFor how long {@link Verdict#HOLD} lasts, counted from the beginning of the first try that failed in that way
 */
public record FailurePolicy(OnFailure onFailure, Map<Class<? extends Throwable>, Verdict> rules, Duration holdFor) {
    private static final Duration HOLD_FOR = Duration.ofMinutes(10);

    /** However short the back-off is, a held record is not tried more often. */
    private static final Duration SHORTEST_WAIT = Duration.ofMillis(100);

    /** A timer counts nanoseconds; as for a {@link RetryPolicy}. */
    private static final Duration LONGEST_HOLD = Duration.ofDays(100_000);

    /** Everything is retried, then dead-lettered. */
    public static final FailurePolicy DEFAULT = of(OnFailure.SKIP_TO_DEAD_LETTERS);

    /** Causes that are looked at; a chain of them may have no end. */
    private static final int DEPTH = 16;

    /** What a rule may say of a failed attempt. */
    public enum Verdict {
        /** Tried again as the {@link RetryPolicy} says; what follows the last attempt is {@link FailurePolicy#onFailure}. */
        RETRY,
        /**
         * Held, since it may pass by itself, as when a schema is not known yet: the lane waits and the record is tried again,
         * with the back-off of the {@link RetryPolicy} but however often, for as long as {@link FailurePolicy#holdFor}. Then
         * {@link FailurePolicy#onFailure} follows.
         */
        HOLD,
        /** Not tried again; {@link FailurePolicy#onFailure} follows. */
        FINAL,
        /** Dead-lettered at once. */
        DEAD_LETTER,
        /** Parked at once, with the customer's later records. */
        PARK,
        /** Stops the partition at once. */
        STOP
    }

    /** Copies the rules. */
    public FailurePolicy {
        Objects.requireNonNull(onFailure, "onFailure");
        rules = Map.copyOf(rules);
        if (holdFor.isNegative() || holdFor.compareTo(LONGEST_HOLD) > 0) {
            throw new IllegalArgumentException("holdFor must be from 0 to " + LONGEST_HOLD + ": " + holdFor);
        }
    }

    /** With ten minutes for what is held. */
    public FailurePolicy(OnFailure onFailure, Map<Class<? extends Throwable>, Verdict> rules) {
        this(onFailure, rules, HOLD_FOR);
    }

    /** Everything is retried; {@code onFailure} follows the last attempt. */
    public static FailurePolicy of(OnFailure onFailure) {
        return new FailurePolicy(onFailure, Map.of(TerminalException.class, Verdict.FINAL));
    }

    /** The same with a rule for {@code failure} and its subclasses, in place of the one there was. */
    public FailurePolicy when(Class<? extends Throwable> failure, Verdict verdict) {
        Map<Class<? extends Throwable>, Verdict> more = new HashMap<>(rules);
        more.put(Objects.requireNonNull(failure, "failure"), Objects.requireNonNull(verdict, "verdict"));
        return new FailurePolicy(onFailure, more, holdFor);
    }

    /** The same but for how long {@link Verdict#HOLD} lasts. */
    public FailurePolicy withHoldFor(Duration longest) {
        return new FailurePolicy(onFailure, rules, longest);
    }

    /** Whether a record may be parked under this policy. */
    public boolean parks() {
        return onFailure == OnFailure.PARK_KEY || rules.containsValue(Verdict.PARK);
    }

    /** What the rules say of {@code failure}. Throws only what {@code failure} itself throws when asked for its cause. */
    public Verdict judge(Throwable failure) {
        Throwable looked = failure;
        for (int i = 0; i < DEPTH && looked != null; i++) {
            Verdict verdict = isWrapper(looked) ? null : ruleFor(looked.getClass());
            if (verdict != null) {
                return verdict;
            }
            looked = looked.getCause();
        }
        return Verdict.RETRY;
    }

    /**
     * How long a held record waits for its next try: {@code backoff}, but not so short that it is never at rest, nor beyond its
     * time, at the end of which it is tried for the last time.
     *
     * @param held for how long it has been held
     * @return empty if its time is over
     */
    public Optional<Duration> waitWhileHeld(Duration held, Duration backoff) {
        Duration left = holdFor.minus(held);
        if (left.isZero() || left.isNegative()) {
            return Optional.empty();
        }
        Duration wait = backoff.compareTo(SHORTEST_WAIT) < 0 ? SHORTEST_WAIT : backoff;
        return Optional.of(wait.compareTo(left) < 0 ? wait : left);
    }

    private @Nullable Verdict ruleFor(Class<?> thrown) {
        Verdict verdict = null;
        for (Class<?> type = thrown; type != null && verdict == null; type = type.getSuperclass()) {
            verdict = rules.get(type);
        }
        return verdict;
    }

    private static boolean isWrapper(Throwable failure) {
        return (failure instanceof CompletionException || failure instanceof ExecutionException)
                && failure.getCause() != null;
    }
}
