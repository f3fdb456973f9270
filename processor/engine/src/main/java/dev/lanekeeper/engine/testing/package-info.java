/**
 * Handlers in a unit test: a delivery that remembers what was done with it, and a driver that tries a handler as an engine
 * would, without a broker and without waiting.
 *
 * <p>Start at {@link dev.lanekeeper.engine.testing.HandlerDriver}; {@link dev.lanekeeper.engine.testing.BatchDriver} is for
 * batches. Everything happens on the test's own thread. This package
 * must not know the engine itself, only what users write and receive.
 */
@NullMarked
package dev.lanekeeper.engine.testing;

import org.jspecify.annotations.NullMarked;
