/**
 * Proofs of what users test their handlers with.
 *
 * <p>Start at {@code HandlerDriverTest}; that the driver says what an engine does is in {@code DriverAgreementTest} of the
 * engine's own package. It must not know the engine.
 */
@NullMarked
package dev.lanekeeper.engine.testing;

import org.jspecify.annotations.NullMarked;
