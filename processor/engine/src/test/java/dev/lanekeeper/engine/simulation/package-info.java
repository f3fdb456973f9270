/**
 * The real engine, several of it, on a cluster in memory and in virtual time: one seed decides what happens when, and what
 * goes wrong; every event is held against the promises.
 *
 * <p>Start at {@code World}, which runs one seed; {@code SimulationTest} runs many. One thread does everything in a world, so a
 * seed goes the same way each time. It simulates the order of tasks, not of instructions: races inside a class are for the
 * model explorers and stress tests.
 */
@NullMarked
package dev.lanekeeper.engine.simulation;

import org.jspecify.annotations.NullMarked;
