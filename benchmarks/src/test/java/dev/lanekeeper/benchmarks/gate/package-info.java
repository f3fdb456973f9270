/** The load that is paused notices what it should. */
@NullMarked
package dev.lanekeeper.benchmarks.gate;

import org.jspecify.annotations.NullMarked;
