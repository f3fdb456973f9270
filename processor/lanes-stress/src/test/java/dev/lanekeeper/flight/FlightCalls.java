package dev.lanekeeper.flight;

import org.jetbrains.lincheck.datastructures.Operation;

/**
 * The calls of single flight, with a memory and for one key, of which Lincheck makes scenarios. A computation gives the number
 * of computations so far, so that every answer is 1.
 *
 * <p>Outside the promise, and so not here: a memory that forgets. Who asks between its forgetting and the landing of the
 * flight that filled it still gets the old value. And single flight without memory, where two who ask at once get one value and
 * two who ask one after another don't: no order of calls explains the first.
 */
public interface FlightCalls {
    /** Asks and waits for the value. */
    @Operation
    int get();

    /** Asks and takes leave at once; whether there was something to take leave of. */
    @Operation
    boolean leave();
}
