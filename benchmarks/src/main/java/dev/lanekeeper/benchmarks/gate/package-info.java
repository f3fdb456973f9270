/**
 * What the pause gate costs while it is open, and how long a pause takes under full load.
 *
 * <p>Start at {@link dev.lanekeeper.benchmarks.gate.PauseUnderLoad}. The calling thread asks for the pauses; the load runs on
 * threads of its own. Knows nothing of tables or targets.
 */
@NullMarked
package dev.lanekeeper.benchmarks.gate;

import org.jspecify.annotations.NullMarked;
