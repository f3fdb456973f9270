/**
 * The way out: records that must be at the broker before a source record counts as done.
 *
 * <p>Start at {@link dev.lanekeeper.engine.result.Publisher}. Called on worker threads, calls back on the producer's. This
 * package must not know handlers, lanes, offsets or the consumer's thread.
 */
@NullMarked
package dev.lanekeeper.engine.result;

import org.jspecify.annotations.NullMarked;
