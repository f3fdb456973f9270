package dev.lanekeeper.lanes;

import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/** Holds that are looked at first and taken then. Must be found. */
public final class FaultyHolds extends HoldCalls {
    private static final int FREE = 0;
    private static final int HELD = 1;

    private final AtomicIntegerArray words = new AtomicIntegerArray(2);

    @Override
    @Nullable
    Hold tryHold(int key) {
        if (words.get(key) == HELD) {
            return null;
        }
        words.set(key, HELD);
        return () -> words.set(key, FREE);
    }
}
