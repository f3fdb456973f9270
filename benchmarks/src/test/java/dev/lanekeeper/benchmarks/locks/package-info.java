/** Every lock that is compared excludes, and the benchmark runs with each. */
@NullMarked
package dev.lanekeeper.benchmarks.locks;

import org.jspecify.annotations.NullMarked;
