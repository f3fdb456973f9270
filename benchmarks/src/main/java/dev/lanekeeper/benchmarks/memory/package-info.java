/**
 * How much heap keys take while they are in use, and how much they leave, beside the peers.
 *
 * <p>Start at {@link dev.lanekeeper.benchmarks.memory.Footprint}. Each reading is a JVM of its own, whose main thread does it
 * all. Knows nothing of tables or targets.
 */
@NullMarked
package dev.lanekeeper.benchmarks.memory;

import org.jspecify.annotations.NullMarked;
