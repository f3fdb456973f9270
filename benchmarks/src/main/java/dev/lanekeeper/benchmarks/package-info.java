/**
 * Lanes measured beside what a team would have used in their place, as ratios within one run.
 *
 * <p>Start at {@link dev.lanekeeper.benchmarks.Table}, which runs everything and prints it. The main thread starts one
 * measurement after another, each in a JVM of its own. May see every module; nothing sees this one.
 */
@NullMarked
package dev.lanekeeper.benchmarks;

import org.jspecify.annotations.NullMarked;
