package dev.lanekeeper.engine;

import dev.lanekeeper.engine.intake.Intake;
import dev.lanekeeper.lanes.Lanes;
import dev.lanekeeper.lanes.Pause;
import dev.lanekeeper.lanes.PauseMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.utils.Bytes;

/**
 * All pauses and drains of one engine. While there is one, asked for or held, fetching is held back and the poll thread
 * polls on. A pause waits for the gate of the lanes; a drain waits until the poll thread finds nothing left.
 *
 * <p>Thread-safe. The lock guards the sets; under it nothing is called but {@link Intake#hold}, which writes a field.
 */
final class Pauses {
    private final String engine;
    private final Lanes<Bytes> lanes;
    private final Intake intake;
    private final Timer timer;
    private final Executor workers;

    /** Guarded by this. */
    private final Set<EnginePause> open = new LinkedHashSet<>();

    /** Those of them that wait for the poll thread. Guarded by this. */
    private final Set<EnginePause> drains = new LinkedHashSet<>();

    /** Guarded by this. */
    private boolean refusing;

    /** {@code workers} runs what others attached to a pause, which must not run on the poll thread. */
    Pauses(String engine, Lanes<Bytes> lanes, Intake intake, Timer timer, Executor workers) {
        this.engine = engine;
        this.lanes = lanes;
        this.intake = intake;
        this.timer = timer;
        this.workers = workers;
    }

    CompletableFuture<Pause> pause(PauseMode mode, Duration timeout) {
        requireTimeout(timeout);
        EnginePause pause = begin(false);
        try {
            pause.await(lanes.pause(mode, timeout));
        } catch (RuntimeException e) { // asked for by a handler
            pause.end(false);
            throw e;
        }
        return pause.answer();
    }

    CompletableFuture<Pause> drain(Duration timeout) {
        requireTimeout(timeout);
        if (lanes.onTaskThread()) {
            throw new IllegalStateException(
                    "a handler asks to drain engine " + engine + ", which would wait for that handler");
        }
        EnginePause drain = begin(true);
        if (!timer.schedule(timeout, () -> expire(drain, timeout))) {
            drain.answer().completeExceptionally(closing());
        }
        return drain.answer();
    }

    private static void requireTimeout(Duration timeout) {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("timeout must not be negative: " + timeout);
        }
    }

    private EnginePause begin(boolean drain) {
        EnginePause pause = new EnginePause(this);
        synchronized (this) {
            if (refusing) {
                throw closing();
            }
            open.add(pause);
            if (drain) {
                drains.add(pause);
            }
            intake.hold(true);
        }
        return pause;
    }

    private RejectedExecutionException closing() {
        return new RejectedExecutionException("engine " + engine + " is closing");
    }

    private void expire(EnginePause drain, Duration timeout) {
        synchronized (this) {
            if (!drains.contains(drain)) {
                return;
            }
        }
        later(() -> drain.answer()
                .completeExceptionally(new TimeoutException("not everything was done after " + timeout + ": "
                        + lanes.view().inFlight() + " records hold their lane, "
                        + lanes.view().queued() + " wait")));
    }

    /** Called by the poll thread after each pass. */
    void passed() {
        synchronized (this) {
            if (drains.isEmpty()) {
                return;
            }
        }
        if (!intake.drained() || lanes.view().live() > 0) { // of a partition that went, something may still run
            return;
        }
        List<EnginePause> done;
        synchronized (this) {
            done = List.copyOf(drains);
            drains.clear();
        }
        done.forEach(drain -> later(drain::grant));
    }

    /** Called by a pause that is over. */
    synchronized void over(EnginePause pause) {
        open.remove(pause);
        drains.remove(pause);
        intake.hold(!open.isEmpty());
    }

    /** Ends all pauses, and gives up those that are asked for. */
    void resume() {
        List<EnginePause> latestFirst = new ArrayList<>(all());
        Collections.reverse(latestFirst); // or the end of one would grant the next before that is given up
        for (EnginePause pause : latestFirst) {
            if (!pause.answer().cancel(false)) {
                pause.end(true);
            }
        }
    }

    /** Gives up what is not held, and takes no more; whether nothing is held any more. */
    boolean refuse() {
        synchronized (this) {
            refusing = true;
        }
        boolean free = true;
        for (EnginePause pause : all()) {
            if (pause.holdsLanes()) {
                free = false;
            } else if (!pause.held() && pause.end(false)) {
                later(() -> pause.answer().completeExceptionally(closing()));
            }
        }
        return free;
    }

    /** Ends whatever is left: the engine has. */
    void end() {
        refuse();
        all().forEach(pause -> pause.end(true));
    }

    PauseState state() {
        List<EnginePause> all = all();
        if (all.isEmpty()) {
            return PauseState.NONE;
        }
        return all.stream().anyMatch(EnginePause::held) ? PauseState.HELD : PauseState.DRAINING;
    }

    private synchronized List<EnginePause> all() {
        return List.copyOf(open);
    }

    private void later(Runnable foreign) {
        try {
            workers.execute(foreign);
        } catch (RejectedExecutionException e) { // the engine has ended: this thread is the only one left
            foreign.run();
        }
    }

    @Override
    public String toString() {
        return "engine " + engine;
    }
}
