/**
 * How a long command shows that it lives: a bar on a terminal, an occasional plain line anywhere else, always on
 * standard error. Start at {@link dev.lanekeeper.simulator.progress.Progress}; one thread steps it. Must not know what
 * is counted.
 */
@NullMarked
package dev.lanekeeper.simulator.progress;

import org.jspecify.annotations.NullMarked;
