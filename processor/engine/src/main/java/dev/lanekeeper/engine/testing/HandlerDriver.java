package dev.lanekeeper.engine.testing;

import dev.lanekeeper.engine.handler.AsyncHandler;
import dev.lanekeeper.engine.handler.FailurePolicy;
import dev.lanekeeper.engine.handler.Handler;
import dev.lanekeeper.engine.handler.OnFailure;
import dev.lanekeeper.engine.handler.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Tries a handler with one record as an engine would: attempt after attempt, as the policies say, then the last word. Nothing
 * is waited for between attempts. Immutable; as thread-safe as the handler.
 *
 * <p>What it leaves out: other records, results, what the broker might refuse, and timeouts. A blocking handler that never
 * returns keeps the test; a stage that does not complete is waited for 10 s, or as long as {@link #patience} says.
 *
 * @param <K> the decoded key
 * @param <V> the decoded value
 */
public final class HandlerDriver<K, V> {
    private final AsyncHandler<K, V> handler;
    private final RetryPolicy retry;
    private final FailurePolicy failures;
    private final Duration patience;

    private HandlerDriver(AsyncHandler<K, V> handler, RetryPolicy retry, FailurePolicy failures, Duration patience) {
        this.handler = handler;
        this.retry = retry;
        this.failures = failures;
        this.patience = patience;
    }

    /** Drives a blocking handler, with the policies that an engine has by default. */
    public static <K, V> HandlerDriver<K, V> handler(Handler<K, V> handler) {
        Objects.requireNonNull(handler, "handler");
        return asyncHandler(delivery -> {
            handler.handle(delivery);
            return CompletableFuture.completedStage(null);
        });
    }

    /** Drives an asynchronous handler, with the policies that an engine has by default. */
    public static <K, V> HandlerDriver<K, V> asyncHandler(AsyncHandler<K, V> handler) {
        return new HandlerDriver<>(
                Objects.requireNonNull(handler, "handler"),
                RetryPolicy.DEFAULT,
                FailurePolicy.DEFAULT,
                Duration.ofSeconds(10));
    }

    /** The same with another retry policy. */
    public HandlerDriver<K, V> retry(RetryPolicy policy) {
        return new HandlerDriver<>(handler, Objects.requireNonNull(policy, "policy"), failures, patience);
    }

    /** The same with another failure policy. */
    public HandlerDriver<K, V> failures(FailurePolicy policy) {
        return new HandlerDriver<>(handler, retry, Objects.requireNonNull(policy, "policy"), patience);
    }

    /** The same with another time to wait for a stage. */
    public HandlerDriver<K, V> patience(Duration limit) {
        return new HandlerDriver<>(handler, retry, failures, Objects.requireNonNull(limit, "limit"));
    }

    /**
     * Delivers the record until it is handled or has failed for good. The first attempt gets {@code delivery} itself, so that
     * the test may cancel it; later ones get its successors.
     *
     * @throws AssertionError if a stage does not complete in time
     * @throws OutOfMemoryError if an attempt fails with one: an engine would stop
     */
    public HandlerReport deliver(TestDelivery<K, V> delivery) {
        Tries tries = new Tries(retry, failures);
        TestDelivery<K, V> current = delivery;
        while (true) {
            Throwable failure = attempt(current);
            if (failure == null) {
                return new HandlerReport(tries.failed() + 1, tries.waits(), current.outputs(), null, null);
            }
            if (!tries.again(failure)) {
                return new HandlerReport(tries.failed(), tries.waits(), List.of(), failure, afterLast(failure));
            }
            current = current.withAttempt(current.attempt() + 1);
        }
    }

    private OnFailure afterLast(Throwable failure) {
        return switch (failures.judge(failure)) {
            case RETRY, HOLD, FINAL -> failures.onFailure();
            case DEAD_LETTER -> OnFailure.SKIP_TO_DEAD_LETTERS;
            case PARK -> OnFailure.PARK_KEY;
            case STOP -> OnFailure.STOP_PARTITION;
        };
    }

    /** Why the attempt failed; {@code null} if it did not. */
    private @Nullable Throwable attempt(TestDelivery<K, V> delivery) {
        Throwable thrown = awaited(delivery, begin(delivery));
        delivery.end();
        Throwable failure =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (failure instanceof OutOfMemoryError fatal) {
            throw fatal;
        }
        return failure;
    }

    /** What the attempt will have failed with, or {@code null}. */
    private CompletableFuture<@Nullable Throwable> begin(TestDelivery<K, V> delivery) {
        CompletableFuture<@Nullable Throwable> end = new CompletableFuture<>();
        try {
            CompletionStage<?> stage = handler.handle(delivery);
            if (stage == null) {
                throw new NullPointerException("the handler returned a null stage");
            }
            stage.whenComplete((ignored, failure) -> end.complete(failure));
        } catch (Throwable t) { // whatever a handler throws is a failed attempt
            end.complete(t);
        }
        return end;
    }

    private @Nullable Throwable awaited(TestDelivery<K, V> delivery, CompletableFuture<@Nullable Throwable> end) {
        try {
            return end.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("the stage of " + delivery + " is not complete after " + patience, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the stage of " + delivery, e);
        } catch (ExecutionException e) {
            throw new AssertionError("the end of " + delivery + " is told, never thrown", e);
        }
    }
}
