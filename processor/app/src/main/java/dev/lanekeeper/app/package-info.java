/** Placeholder. */
@NullMarked
package dev.lanekeeper.app;

import org.jspecify.annotations.NullMarked;
