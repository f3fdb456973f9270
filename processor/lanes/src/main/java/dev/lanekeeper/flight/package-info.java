/**
 * One caller computes the value of a key, the others wait for it.
 *
 * <p>Start at {@link dev.lanekeeper.flight.SingleFlight}. May be called from any thread; computations run on the executor
 * that the caller gave. This package knows nothing but the JDK, not even lanes: a computation must not wait for a lane whose
 * task may wait for the computation.
 */
@NullMarked
package dev.lanekeeper.flight;

import org.jspecify.annotations.NullMarked;
