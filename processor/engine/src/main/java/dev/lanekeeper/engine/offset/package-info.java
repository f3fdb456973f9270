/**
 * Per assigned partition: what was delivered, what of it is done, and how far the unbroken prefix of done records reaches.
 *
 * <p>Start at {@link dev.lanekeeper.engine.offset.OffsetTracker}. Confined to the poll thread. This package knows nothing
 * but the JDK: neither Kafka nor lanes.
 */
@NullMarked
package dev.lanekeeper.engine.offset;

import org.jspecify.annotations.NullMarked;
