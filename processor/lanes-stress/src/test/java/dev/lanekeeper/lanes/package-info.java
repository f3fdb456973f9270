/**
 * Proofs about threads: no forbidden outcome of a race is ever seen, and no interleaving of calls gives an answer that calls
 * one after another could not give.
 *
 * <p>Start at {@code ForbiddenOutcomesTest}, then {@code LinearizableTest}. Each has planted faults, which must be found.
 */
@NullMarked
package dev.lanekeeper.lanes;

import org.jspecify.annotations.NullMarked;
