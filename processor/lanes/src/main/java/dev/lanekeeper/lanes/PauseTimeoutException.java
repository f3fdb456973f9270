package dev.lanekeeper.lanes;

import java.io.Serial;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** A pause was not held in time. The lanes go on as if it had never been asked for. */
public final class PauseTimeoutException extends TimeoutException {
    @Serial
    private static final long serialVersionUID = 1;

    private static final int NAMED = 5;

    private final transient List<? extends Blocker<?>> blockers;

    PauseTimeoutException(Duration timeout, List<? extends Blocker<?>> blockers) {
        super("not everything had ended after " + timeout + "; " + named(blockers));
        this.blockers = List.copyOf(blockers);
    }

    /** What the pause still waited for, oldest first; empty in a deserialized copy. */
    public List<? extends Blocker<?>> blockers() {
        return blockers == null ? List.of() : blockers;
    }

    private static String named(List<? extends Blocker<?>> blockers) {
        if (blockers.isEmpty()) {
            return "no task runs; another pause may be on";
        }
        String first = String.join(
                ", ", blockers.stream().limit(NAMED).map(Blocker::toString).toList());
        String all = "still running: " + first;
        return blockers.size() <= NAMED ? all : all + " and " + (blockers.size() - NAMED) + " more";
    }
}
