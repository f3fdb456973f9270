/** Tests of the room of the same name. */
@NullMarked
package dev.lanekeeper.simulator.cli;

import org.jspecify.annotations.NullMarked;
