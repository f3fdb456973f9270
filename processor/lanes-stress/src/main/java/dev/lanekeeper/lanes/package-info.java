/**
 * Races of two threads over one word or two, each with the outcomes that are allowed and those that are forbidden, for
 * jcstress to run millions of times.
 *
 * <p>Start at {@code HandOver}. A scenario is made anew for each run, its two actors are called by two threads, its arbiter
 * by one after both. Scenarios use the real classes of the same package; {@code planted} holds what they must be able to
 * tell from those. Nothing here is published.
 */
@NullMarked
package dev.lanekeeper.lanes;

import org.jspecify.annotations.NullMarked;
