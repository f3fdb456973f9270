package dev.lanekeeper.lanes;

import org.jspecify.annotations.Nullable;

/** What holds are, said for one thread. */
public final class HoldsByOneThread extends HoldCalls {
    private boolean held;

    @Override
    @Nullable
    Hold tryHold() {
        if (held) {
            return null;
        }
        held = true;
        return () -> held = false;
    }
}
