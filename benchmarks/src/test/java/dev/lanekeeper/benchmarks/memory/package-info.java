/** The readings of the heap notice what is left behind. */
@NullMarked
package dev.lanekeeper.benchmarks.memory;

import org.jspecify.annotations.NullMarked;
