/** Tests of the room of the same name. */
@NullMarked
package dev.lanekeeper.simulator;

import org.jspecify.annotations.NullMarked;
