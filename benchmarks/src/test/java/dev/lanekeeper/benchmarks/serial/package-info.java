/** Every executor that is compared keeps order, and the benchmark runs with each. */
@NullMarked
package dev.lanekeeper.benchmarks.serial;

import org.jspecify.annotations.NullMarked;
