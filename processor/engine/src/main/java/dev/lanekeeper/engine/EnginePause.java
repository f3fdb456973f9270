package dev.lanekeeper.engine;

import dev.lanekeeper.lanes.Pause;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One pause of an engine, from the moment it is asked for: it keeps fetching held back, and is the handle that its holder
 * gets. Thread-safe; the lock is held for field accesses only.
 */
final class EnginePause implements Pause {
    private enum State {
        ASKED,
        HELD,
        /** Closed by its holder, given up by whoever asked for it, or ended with all others. */
        OVER
    }

    private final Pauses pauses;
    private final CompletableFuture<Pause> answer = new CompletableFuture<>();

    /** Guarded by this; so are the others. */
    private State state = State.ASKED;

    /** The lanes' answer; {@code null} if only fetching is held back. */
    private @Nullable CompletableFuture<Pause> lanes;

    /** Whether the holder may still close it, although it is over: somebody else has ended it. */
    private boolean endedByOthers;

    EnginePause(Pauses pauses) {
        this.pauses = pauses;
        CompletableFuture<Pause> unused = answer.whenComplete((pause, failure) -> {
            if (pause != this) { // cancelled, failed, or completed by the caller, as orTimeout does
                end(false);
            }
        });
    }

    /** For the one who asked; cancelling it gives up the pause. */
    CompletableFuture<Pause> answer() {
        return answer;
    }

    /** Waits for the lanes too. */
    void await(CompletableFuture<Pause> asked) {
        boolean over;
        synchronized (this) {
            lanes = asked;
            over = state == State.OVER;
        }
        if (over) {
            release(asked);
            return;
        }
        CompletableFuture<Pause> unused = asked.whenComplete((pause, failure) -> {
            if (failure == null) {
                grant();
            } else if (!over()) {
                answer.completeExceptionally(failure);
            }
        });
    }

    /** Everything that was waited for has ended. */
    void grant() {
        synchronized (this) {
            if (state != State.ASKED) {
                return; // given up in this instant: whoever did that releases what there is
            }
            state = State.HELD;
        }
        if (!answer.complete(this)) { // given up in this instant, and nobody will close it
            end(false);
        }
    }

    synchronized boolean held() {
        return state == State.HELD;
    }

    /** Whether its holder counts on nothing running: a drain only says that nothing is left. */
    synchronized boolean holdsLanes() {
        return state == State.HELD && lanes != null;
    }

    private synchronized boolean over() {
        return state == State.OVER;
    }

    @Override
    public void close() {
        boolean wasOver;
        synchronized (this) {
            wasOver = state == State.OVER;
            if (wasOver && endedByOthers) {
                endedByOthers = false;
                return;
            }
        }
        if (wasOver || !end(false)) {
            throw new IllegalStateException("this pause was released before");
        }
    }

    /**
     * Ends it, or gives it up.
     *
     * @param byOthers whether its holder does not know
     * @return {@code false} if it was over already
     */
    boolean end(boolean byOthers) {
        CompletableFuture<Pause> asked;
        synchronized (this) {
            if (state == State.OVER) {
                return false;
            }
            endedByOthers = byOthers && state == State.HELD;
            state = State.OVER;
            asked = lanes;
        }
        pauses.over(this); // fetching may go on before the lanes do, never after they were forgotten
        if (asked != null) {
            release(asked);
        }
        return true;
    }

    /** Gives the lanes' pause back, whether it was granted or not. */
    private static void release(CompletableFuture<Pause> asked) {
        if (!asked.cancel(false) && !asked.isCompletedExceptionally()) {
            asked.join().close();
        }
    }

    @Override
    public String toString() {
        return "pause of " + pauses;
    }
}
