/**
 * What tests share: promises as objects that are fed while a test runs and asked at its end, and time, threads and
 * chance that a test holds in its hand.
 *
 * <p>Start at {@link dev.lanekeeper.testkit.KeyOrderLedger}, the promise of order; {@link
 * dev.lanekeeper.testkit.ManualClock} begins the rest. Checkers are fed from any thread; clocks and executors here run
 * work only on the thread that steps them. It must not know lanes or the engine, whose own tests use it.
 */
@NullMarked
package dev.lanekeeper.testkit;

import org.jspecify.annotations.NullMarked;
