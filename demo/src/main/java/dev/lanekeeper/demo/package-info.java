/** Placeholder. */
@NullMarked
package dev.lanekeeper.demo;

import org.jspecify.annotations.NullMarked;
