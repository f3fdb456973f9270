/** Every map that is compared says what is done, and the benchmark runs with each. */
@NullMarked
package dev.lanekeeper.benchmarks.commit;

import org.jspecify.annotations.NullMarked;
