/** Placeholder. */
@NullMarked
package dev.lanekeeper.message;

import org.jspecify.annotations.NullMarked;
