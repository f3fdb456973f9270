/**
 * Tests of single flight: what is shared, what is forgotten, what is refused.
 *
 * <p>Start at {@link dev.lanekeeper.flight.SingleFlightTest}. Most tests step through the work on their own thread. They know
 * nothing but the package that they test and the test kit.
 */
@NullMarked
package dev.lanekeeper.flight;

import org.jspecify.annotations.NullMarked;
