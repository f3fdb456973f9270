/**
 * Hand-overs as one might write them, each wrong in one step, for the scenarios' outcomes to be seen forbidden.
 *
 * <p>One scenario for each kind of race in the packages of lanes and flights beside this one. A run in which one of these passes has proved
 * nothing about the others. Knows nothing but the JDK.
 */
@NullMarked
package dev.lanekeeper.lanes.planted;

import org.jspecify.annotations.NullMarked;
