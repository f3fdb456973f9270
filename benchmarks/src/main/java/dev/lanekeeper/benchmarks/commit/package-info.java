/**
 * What it costs to say in a commit what is done behind one record that is stuck, beside a bit for each offset.
 *
 * <p>Start at {@link dev.lanekeeper.benchmarks.commit.CommitPeer}. Called by the thread of the measurement. Knows nothing of
 * tables or targets.
 */
@NullMarked
package dev.lanekeeper.benchmarks.commit;

import org.jspecify.annotations.NullMarked;
