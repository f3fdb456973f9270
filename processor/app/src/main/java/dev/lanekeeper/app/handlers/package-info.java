/**
 * Ready-made handlers of jobs, how one is chosen, and how records become jobs and jobs outcomes.
 *
 * <p>Start at {@link dev.lanekeeper.app.handlers.HandlerFactory}. Handlers and the outcome writer are called on the
 * engine's worker threads, many at once. This package must not know the command line, the consumer or the producer.
 */
@NullMarked
package dev.lanekeeper.app.handlers;

import org.jspecify.annotations.NullMarked;
