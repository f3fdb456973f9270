package dev.lanekeeper.lanes;

import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jspecify.annotations.Nullable;

/**
 * The calls about holds of which Lincheck makes scenarios. All are for one key, so that they meet.
 *
 * <p>Outside the promise, and so not here: {@code acquire} followed by a cancellation. It stands in line until it is
 * cancelled, and whoever comes in that time stands behind it, although it never gets the lane.
 */
@Param(name = "thread", gen = ThreadIdGen.class)
public abstract class HoldCalls {
    private static final int THREADS = 8;

    private final @Nullable Hold[] holds = new @Nullable Hold[THREADS];

    /** Takes hold without waiting; {@code null} if somebody has it. */
    abstract @Nullable Hold tryHold();

    /** Whether it was free. */
    @Operation
    public final boolean take(@Param(name = "thread") int thread) {
        Hold hold = tryHold();
        if (hold == null) {
            return false;
        }
        if (holds[thread] != null) {
            throw new AssertionError("granted to a thread that has it");
        }
        holds[thread] = hold;
        return true;
    }

    /** Gives back what the thread has; whether it had it. */
    @Operation
    public final boolean giveBack(@Param(name = "thread") int thread) {
        Hold hold = holds[thread];
        if (hold == null) {
            return false;
        }
        holds[thread] = null;
        hold.close();
        return true;
    }
}
