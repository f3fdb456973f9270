/** Tests of the room of the same name. */
@NullMarked
package dev.lanekeeper.simulator.progress;

import org.jspecify.annotations.NullMarked;
