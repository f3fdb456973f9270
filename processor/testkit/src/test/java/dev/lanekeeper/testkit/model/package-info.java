/** The explorer, put to the test with algorithms known to be right or wrong. Single-threaded throughout. */
@NullMarked
package dev.lanekeeper.testkit.model;

import org.jspecify.annotations.NullMarked;
