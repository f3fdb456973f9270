/**
 * Proofs of the poll loop, one pass at a time, on a consumer that a test scripts.
 *
 * <p>Start at {@code ScriptedConsumer} and {@code IntakeTest}. Everything runs on the test's thread. It must not know lanes or
 * handlers.
 */
@NullMarked
package dev.lanekeeper.engine.intake;

import org.jspecify.annotations.NullMarked;
