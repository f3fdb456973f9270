/** Placeholder. */
@NullMarked
package dev.lanekeeper.streams;

import org.jspecify.annotations.NullMarked;
