package dev.lanekeeper.engine.testing;

import dev.lanekeeper.engine.handler.BatchHandler;
import dev.lanekeeper.engine.handler.FailurePolicy;
import dev.lanekeeper.engine.handler.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tries a batch handler with one batch as an engine would: as a whole, attempt after attempt, then record by record. Nothing is
 * waited for between attempts, and nothing joins the batch. Immutable; as thread-safe as the handler.
 *
 * @param <K> the decoded key
 * @param <V> the decoded value
 */
public final class BatchDriver<K, V> {
    private final BatchHandler<K, V> handler;
    private final RetryPolicy retry;
    private final FailurePolicy failures;

    private BatchDriver(BatchHandler<K, V> handler, RetryPolicy retry, FailurePolicy failures) {
        this.handler = handler;
        this.retry = retry;
        this.failures = failures;
    }

    /** Drives a handler, with the policies that an engine has by default. */
    public static <K, V> BatchDriver<K, V> handler(BatchHandler<K, V> handler) {
        return new BatchDriver<>(
                Objects.requireNonNull(handler, "handler"), RetryPolicy.DEFAULT, FailurePolicy.DEFAULT);
    }

    /** The same with another retry policy. */
    public BatchDriver<K, V> retry(RetryPolicy policy) {
        return new BatchDriver<>(handler, Objects.requireNonNull(policy, "policy"), failures);
    }

    /** The same with another failure policy. */
    public BatchDriver<K, V> failures(FailurePolicy policy) {
        return new BatchDriver<>(handler, retry, Objects.requireNonNull(policy, "policy"));
    }

    /**
     * Delivers the records until each is handled or has failed for good. The first attempt gets these deliveries themselves.
     *
     * @return how each record ended, in their order; attempts and waits are counted over those of the batch and its own
     * @throws IllegalArgumentException if there are none
     * @throws OutOfMemoryError if an attempt fails with one: an engine would stop
     */
    public List<HandlerReport> deliver(List<TestDelivery<K, V>> batch) {
        if (batch.isEmpty()) {
            throw new IllegalArgumentException("a batch must have a record at least");
        }
        if (batch.size() == 1) {
            return List.of(alone().deliver(batch.get(0)));
        }
        Tries tries = new Tries(retry, failures);
        List<TestDelivery<K, V>> current = List.copyOf(batch);
        while (true) {
            Throwable failure = attempt(current);
            if (failure == null) {
                return handled(current, tries);
            }
            current = current.stream()
                    .map(delivery -> delivery.withAttempt(delivery.attempt() + 1))
                    .toList();
            if (!tries.again(failure)) {
                return oneByOne(current, tries);
            }
        }
    }

    private static <K, V> List<HandlerReport> handled(List<TestDelivery<K, V>> batch, Tries failed) {
        return batch.stream()
                .map(delivery -> new HandlerReport(failed.failed() + 1, failed.waits(), delivery.outputs(), null, null))
                .toList();
    }

    private List<HandlerReport> oneByOne(List<TestDelivery<K, V>> batch, Tries together) {
        List<HandlerReport> reports = new ArrayList<>();
        for (TestDelivery<K, V> delivery : batch) {
            HandlerReport alone = alone().deliver(delivery);
            List<Duration> waits = new ArrayList<>(together.waits());
            waits.add(Duration.ZERO); // it begins with that as soon as its turn has come
            waits.addAll(alone.waits());
            reports.add(new HandlerReport(
                    together.failed() + alone.attempts(), waits, alone.outputs(), alone.failure(), alone.then()));
        }
        return List.copyOf(reports);
    }

    private HandlerDriver<K, V> alone() {
        return HandlerDriver.<K, V>handler(delivery -> handler.handle(List.of(delivery)))
                .retry(retry)
                .failures(failures);
    }

    /** Why the attempt failed; {@code null} if it did not. */
    private @Nullable Throwable attempt(List<TestDelivery<K, V>> batch) {
        Throwable failure = null;
        try {
            handler.handle(List.copyOf(batch));
        } catch (OutOfMemoryError fatal) {
            throw fatal;
        } catch (Throwable t) { // whatever a handler throws is a failed attempt
            failure = t;
        }
        batch.forEach(TestDelivery::end);
        return failure;
    }
}
