package dev.lanekeeper.engine.handler;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
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
 * @param onFailure what follows the last attempt
 * @param rules what follows a failure of each class
 */
public record FailurePolicy(OnFailure onFailure, Map<Class<? extends Throwable>, Verdict> rules) {
    /** Everything is retried, then dead-lettered. */
    public static final FailurePolicy DEFAULT = of(OnFailure.SKIP_TO_DEAD_LETTERS);

    /** Causes that are looked at; a chain of them may have no end. */
    private static final int DEPTH = 16;

    /** What a rule may say of a failed attempt. */
    public enum Verdict {
        /** Tried again as the {@link RetryPolicy} says; what follows the last attempt is {@link FailurePolicy#onFailure}. */
        RETRY,
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
    }

    /** Everything is retried; {@code onFailure} follows the last attempt. */
    public static FailurePolicy of(OnFailure onFailure) {
        return new FailurePolicy(onFailure, Map.of(TerminalException.class, Verdict.FINAL));
    }

    /** The same with a rule for {@code failure} and its subclasses, in place of the one there was. */
    public FailurePolicy when(Class<? extends Throwable> failure, Verdict verdict) {
        Map<Class<? extends Throwable>, Verdict> more = new HashMap<>(rules);
        more.put(Objects.requireNonNull(failure, "failure"), Objects.requireNonNull(verdict, "verdict"));
        return new FailurePolicy(onFailure, more);
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
