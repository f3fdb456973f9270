package dev.lanekeeper.lanes;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jspecify.annotations.Nullable;

/**
 * The calls about holds of which Lincheck makes scenarios. A thread has one hold of each key at most.
 *
 * <p>Outside the promise, and so not here: {@code acquire} followed by a cancellation. It stands in line until it is
 * cancelled, and whoever comes in that time stands behind it, although it never gets the lane.
 */
@Param(name = "thread", gen = ThreadIdGen.class)
@Param(name = "key", gen = IntGen.class, conf = "0:1")
public abstract class HoldCalls {
    private static final int THREADS = 8;
    private static final int KEYS = 2;

    private final @Nullable Hold[][] holds = new @Nullable Hold[THREADS][KEYS];

    /** Takes hold without waiting; {@code null} if somebody has it. */
    abstract @Nullable Hold tryHold(int key);

    /** Whether it was free. */
    @Operation
    public final boolean take(@Param(name = "thread") int thread, @Param(name = "key") int key) {
        Hold hold = tryHold(key);
        if (hold == null) {
            return false;
        }
        if (holds[thread][key] != null) {
            throw new AssertionError("granted to a thread that has it");
        }
        holds[thread][key] = hold;
        return true;
    }

    /** Gives back what the thread has; whether it had it. */
    @Operation
    public final boolean giveBack(@Param(name = "thread") int thread, @Param(name = "key") int key) {
        Hold hold = holds[thread][key];
        if (hold == null) {
            return false;
        }
        holds[thread][key] = null;
        hold.close();
        return true;
    }
}
