/**
 * Proofs of what is sent, sent again, and given up.
 *
 * <p>Start at {@code PublisherTest}. It must not know lanes or offsets.
 */
@NullMarked
package dev.lanekeeper.engine.result;

import org.jspecify.annotations.NullMarked;
