/**
 * Proofs of the tracker against a naive model, and of the map's text against what else may stand in its place.
 *
 * <p>Start at {@code OffsetTrackerTest} and {@code HostileMapsTest}. It must not know Kafka.
 */
@NullMarked
package dev.lanekeeper.engine.offset;

import org.jspecify.annotations.NullMarked;
