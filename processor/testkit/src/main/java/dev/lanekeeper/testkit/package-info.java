/** Placeholder. */
@NullMarked
package dev.lanekeeper.testkit;

import org.jspecify.annotations.NullMarked;
