/**
 * Races of two callers of single flight, each with the outcomes that are allowed and those that are forbidden, for jcstress
 * to run millions of times.
 *
 * <p>Start at {@code BeginAndJoin}; how scenarios are run is said in the package of lanes beside this one. They use what
 * users use. Nothing here is published.
 */
@NullMarked
package dev.lanekeeper.flight;

import org.jspecify.annotations.NullMarked;
