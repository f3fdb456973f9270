/**
 * What it costs to enter and leave the section of a key, beside the peers.
 *
 * <p>Start at {@link dev.lanekeeper.benchmarks.locks.LockPeer}; the peers are as a careful team would write them. Called by
 * the threads of the measurement. Knows nothing of tables or targets.
 */
@NullMarked
package dev.lanekeeper.benchmarks.locks;

import org.jspecify.annotations.NullMarked;
