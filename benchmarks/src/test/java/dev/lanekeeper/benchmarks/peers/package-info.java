/** The checks of the comparison see planted faults, and each contender does what it is measured at. */
@NullMarked
package dev.lanekeeper.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
