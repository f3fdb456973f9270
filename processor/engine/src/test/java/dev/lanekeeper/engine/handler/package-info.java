/**
 * Proofs of how a failed attempt is judged.
 *
 * <p>Start at {@code RetryPolicyTest}. It must not know the consumer.
 */
@NullMarked
package dev.lanekeeper.engine.handler;

import org.jspecify.annotations.NullMarked;
