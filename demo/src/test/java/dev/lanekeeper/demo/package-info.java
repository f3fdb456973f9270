/** The demo from the outside, and the rules that hold for all modules. */
@NullMarked
package dev.lanekeeper.demo;

import org.jspecify.annotations.NullMarked;
