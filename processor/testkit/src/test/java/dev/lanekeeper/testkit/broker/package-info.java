/**
 * Proofs of the brokers and of what a test asks them.
 *
 * <p>Start at {@code EmbeddedKafkaIT}; the tests without {@code IT} need no broker. It must not know the engine.
 */
@NullMarked
package dev.lanekeeper.testkit.broker;

import org.jspecify.annotations.NullMarked;
