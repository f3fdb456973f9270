package dev.lanekeeper.engine.handler;

import java.util.concurrent.CompletionStage;

/**
 * Work for one record that ends later, on whatever thread completes the returned stage. The lane stays held until then;
 * no thread does.
 *
 * <p>A stage that fails, a throwable and a {@code null} stage are failed attempts, as for {@link Handler}.
 *
 * @param <K> the decoded key
 * @param <V> the decoded value
 */
@FunctionalInterface
public interface AsyncHandler<K, V> {
    /** Begins to handle one record; must not block. */
    CompletionStage<?> handle(Delivery<K, V> delivery) throws Exception;
}
