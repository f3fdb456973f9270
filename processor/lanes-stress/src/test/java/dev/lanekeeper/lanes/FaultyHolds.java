package dev.lanekeeper.lanes;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Holds that are looked at first and taken then. Must be found. */
public final class FaultyHolds extends HoldCalls {
    private static final int FREE = 0;
    private static final int HELD = 1;

    private final AtomicInteger word = new AtomicInteger(FREE);

    @Override
    @Nullable
    Hold tryHold() {
        if (word.get() == HELD) {
            return null;
        }
        word.set(HELD);
        return () -> word.set(FREE);
    }
}
