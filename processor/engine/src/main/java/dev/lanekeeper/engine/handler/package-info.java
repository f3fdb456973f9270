/**
 * What users write, what they receive, and how a failed attempt is judged.
 *
 * <p>Start at {@link dev.lanekeeper.engine.handler.Handler} and {@link dev.lanekeeper.engine.handler.Delivery}. Handlers
 * are called on worker threads, never on the poll thread. This package must not know the consumer, offsets or commits.
 */
@NullMarked
package dev.lanekeeper.engine.handler;

import org.jspecify.annotations.NullMarked;
