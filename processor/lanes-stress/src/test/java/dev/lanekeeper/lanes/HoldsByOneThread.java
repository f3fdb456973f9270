package dev.lanekeeper.lanes;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What holds are, said for one thread. */
public final class HoldsByOneThread extends HoldCalls {
    private final Set<Integer> held = new HashSet<>();

    @Override
    @Nullable
    Hold tryHold(int key) {
        return held.add(key) ? () -> held.remove(key) : null;
    }
}
