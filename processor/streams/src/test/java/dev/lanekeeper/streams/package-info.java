/** Proof that the audit finds each violation that is planted, and nothing where nothing is. */
@NullMarked
package dev.lanekeeper.streams;

import org.jspecify.annotations.NullMarked;
