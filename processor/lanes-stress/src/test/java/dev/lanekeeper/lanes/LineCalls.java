package dev.lanekeeper.lanes;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jspecify.annotations.Nullable;

/**
 * The calls about lines of which Lincheck makes scenarios. A thread has one seat in each line at most, and only it asks about
 * that seat and leaves it, so that each call has a moment in which it takes effect.
 *
 * <p>Outside the promise, and so not here: the number of lanes that there are, which lags behind; and tickets that need the
 * executor, which start some time after they have become heads.
 */
@Param(name = "thread", gen = ThreadIdGen.class)
@Param(name = "key", gen = IntGen.class, conf = "0:1")
public abstract class LineCalls {
    private static final int THREADS = 8;
    private static final int KEYS = 2;

    private final @Nullable Seat[][] seats = new @Nullable Seat[THREADS][KEYS];

    /** A place in line. */
    interface Seat {
        boolean heads();

        void leave();
    }

    /** Takes a place at the end of the line. */
    abstract Seat enter(int key);

    /** Whether it is its turn at once; if the thread has a seat already, whether it is its turn now. */
    @Operation
    public final boolean enter(@Param(name = "thread") int thread, @Param(name = "key") int key) {
        Seat seat = seats[thread][key];
        if (seat == null) {
            seat = enter(key);
            seats[thread][key] = seat;
        }
        return seat.heads();
    }

    /** Whether it is the thread's turn. */
    @Operation
    public final boolean heads(@Param(name = "thread") int thread, @Param(name = "key") int key) {
        Seat seat = seats[thread][key];
        return seat != null && seat.heads();
    }

    /** Ends the thread's turn, if it is its turn. */
    @Operation
    public final boolean leave(@Param(name = "thread") int thread, @Param(name = "key") int key) {
        Seat seat = seats[thread][key];
        if (seat == null || !seat.heads()) {
            return false;
        }
        seats[thread][key] = null;
        seat.leave();
        return true;
    }
}
