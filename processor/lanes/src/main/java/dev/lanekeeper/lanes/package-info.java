/**
 * Lanes: work of one key runs one at a time and in order, work of different keys runs in parallel.
 *
 * <p>Start at {@link dev.lanekeeper.lanes.Lanes}; how a lane is born, handed over and forgotten is in {@code Lane}, how a
 * piece of work ends exactly once is in {@link dev.lanekeeper.lanes.Ticket}. Everything here may be called from any
 * thread; work runs on the executor that the caller gave. This package knows nothing but the JDK: no Kafka, no logging,
 * no metrics.
 */
@NullMarked
package dev.lanekeeper.lanes;

import org.jspecify.annotations.NullMarked;
