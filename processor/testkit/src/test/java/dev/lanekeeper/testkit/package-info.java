/**
 * Proofs that the checkers find what was planted, and that time, threads and chance obey the test.
 *
 * <p>Start at {@code KeyOrderLedgerTest}. It must not know lanes or the engine.
 */
@NullMarked
package dev.lanekeeper.testkit;

import org.jspecify.annotations.NullMarked;
