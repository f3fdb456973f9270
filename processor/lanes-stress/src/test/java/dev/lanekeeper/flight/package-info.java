/**
 * Proofs about threads that compute what others wait for.
 *
 * <p>Start at {@code LinearizableFlightTest}. The races of two callers are run by {@code ForbiddenOutcomesTest} in the package of lanes.
 */
@NullMarked
package dev.lanekeeper.flight;

import org.jspecify.annotations.NullMarked;
