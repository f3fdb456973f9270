package dev.lanekeeper.lanes;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Holds of lanes, with no time to wait. */
public final class HoldsOfLanes extends HoldCalls {
    private final Lanes<Integer> lanes =
            Lanes.<Integer>builder().executor(Runnable::run).clock(() -> 0L).build();

    @Override
    @Nullable
    Hold tryHold() {
        try {
            return lanes.hold(0, Duration.ZERO);
        } catch (TimeoutException e) {
            return null;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
