/**
 * Proofs of the tracker against a naive model.
 *
 * <p>Start at {@code OffsetTrackerTest}. It must not know Kafka.
 */
@NullMarked
package dev.lanekeeper.engine.offset;

import org.jspecify.annotations.NullMarked;
