/**
 * Proofs that children die, freeze and speak as a test wants.
 *
 * <p>Start at {@code ChildJvmTest}. It must not know Kafka.
 */
@NullMarked
package dev.lanekeeper.testkit.process;

import org.jspecify.annotations.NullMarked;
