/**
 * The way in and the way back: the only {@code KafkaConsumer} and everything that happens on its thread. Poll, register,
 * throttle, hear of completions, commit, take part in rebalances, tell topics from their predecessors.
 *
 * <p>Start at {@link dev.lanekeeper.engine.intake.Intake#runOnce}. Everything is confined to the poll thread but {@link
 * dev.lanekeeper.engine.intake.Completions}, through which other threads reach it, and what they may read: the flags and
 * figures of an {@link dev.lanekeeper.engine.intake.Assignment}, and the counters. This package must not know handlers,
 * lanes or producers: a record leaves it as a {@link dev.lanekeeper.engine.intake.Routed}.
 */
@NullMarked
package dev.lanekeeper.engine.intake;

import org.jspecify.annotations.NullMarked;
