package dev.lanekeeper.lanes;

import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jspecify.annotations.Nullable;

/**
 * The calls about a line of which Lincheck makes scenarios. A thread has one seat in it at most, and only it asks about
 * that seat and leaves it, so that each call has a moment in which it takes effect.
 *
 * <p>Outside the promise, and so not here: the number of lanes that there are, which lags behind; and tickets that need the
 * executor, which start some time after they have become heads.
 */
@Param(name = "thread", gen = ThreadIdGen.class)
public abstract class LineCalls {
    private static final int THREADS = 8;

    private final @Nullable Seat[] seats = new @Nullable Seat[THREADS];

    /** A place in line. */
    interface Seat {
        boolean heads();

        void leave();
    }

    /** Takes a place at the end of the line. */
    abstract Seat enter();

    /** Whether it is its turn at once; if the thread has a seat already, whether it is its turn now. */
    @Operation
    public final boolean enter(@Param(name = "thread") int thread) {
        Seat seat = seats[thread];
        if (seat == null) {
            seat = enter();
            seats[thread] = seat;
        }
        return seat.heads();
    }

    /** Ends the thread's turn, if it is its turn. */
    @Operation
    public final boolean leave(@Param(name = "thread") int thread) {
        Seat seat = seats[thread];
        if (seat == null || !seat.heads()) {
            return false;
        }
        seats[thread] = null;
        seat.leave();
        return true;
    }
}
