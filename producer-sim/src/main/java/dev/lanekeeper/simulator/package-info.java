/** Placeholder. */
@NullMarked
package dev.lanekeeper.simulator;

import org.jspecify.annotations.NullMarked;
