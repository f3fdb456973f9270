/** What is said about numbers follows from them; and how it is found out that two sections overlap. */
@NullMarked
package dev.lanekeeper.benchmarks;

import org.jspecify.annotations.NullMarked;
