/**
 * Proofs of what is read from the parking topic.
 *
 * <p>Start at {@code ParkedTableTest}. It must not know lanes, handlers or the intake.
 */
@NullMarked
package dev.lanekeeper.engine.parking;

import org.jspecify.annotations.NullMarked;
