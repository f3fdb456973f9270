/**
 * Seeded traffic: sends a {@linkplain dev.lanekeeper.simulator.workload.Workload workload} to Kafka and says exactly
 * what was sent, so that anyone can check what arrived. Start at {@link dev.lanekeeper.simulator.Simulator}, which runs
 * on the caller's thread. Must not know how jobs are processed.
 */
@NullMarked
package dev.lanekeeper.simulator;

import org.jspecify.annotations.NullMarked;
