/** Breaks rules of architecture on purpose, so that the test of the rules has something to find. */
@NullMarked
package dev.lanekeeper.demo.planted.intake;

import org.jspecify.annotations.NullMarked;
