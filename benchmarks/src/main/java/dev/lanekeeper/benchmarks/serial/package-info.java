/**
 * What it costs to run a task after the earlier ones of its key, beside the peers.
 *
 * <p>Start at {@link dev.lanekeeper.benchmarks.serial.SerialPeer}. Submitted to by the threads of the measurement; the tasks
 * run on two workers. Knows nothing of tables or targets.
 */
@NullMarked
package dev.lanekeeper.benchmarks.serial;

import org.jspecify.annotations.NullMarked;
