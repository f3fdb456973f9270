/**
 * What happened in a simulation, event by event, and the checks that hold it against the promises.
 *
 * <p>Start at {@code History}; the checks are in {@code Checker}. Confined to the simulation's thread. It must not know Kafka,
 * the engine, or who reports: so a test can write a history that never happened.
 */
@NullMarked
package dev.lanekeeper.engine.simulation.history;

import org.jspecify.annotations.NullMarked;
