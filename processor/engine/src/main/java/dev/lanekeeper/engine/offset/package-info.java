/**
 * Per assigned partition: what was delivered, what of it is done, how far the unbroken prefix of done records reaches, and
 * the map of what is done beyond it, with its form as the text that commits carry.
 *
 * <p>Start at {@link dev.lanekeeper.engine.offset.OffsetTracker}; the text is that of {@link
 * dev.lanekeeper.engine.offset.AheadMapCodec}. Confined to the poll thread. This package knows nothing but the JDK: neither
 * Kafka nor lanes.
 */
@NullMarked
package dev.lanekeeper.engine.offset;

import org.jspecify.annotations.NullMarked;
