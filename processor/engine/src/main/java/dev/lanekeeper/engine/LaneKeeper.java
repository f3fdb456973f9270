package dev.lanekeeper.engine;

import dev.lanekeeper.engine.intake.Intake;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One engine: consumes topics as a member of a consumer group and runs a handler for each record. Records with the same
 * lane key run one at a time, in offset order; others in parallel. An offset is committed when every record up to it has
 * been handled or dead-lettered and all that this caused is acknowledged: at-least-once delivery.
 *
 * <p>Thread-safe. {@link #start} begins a poll thread, not a daemon; {@link #close} ends it. Built by {@link #builder}.
 *
 * @param <K> the decoded key
 * @param <V> the decoded value
 */
public final class LaneKeeper<K, V> implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LaneKeeper.class);

    private final Engine engine;
    private final EngineView view;
    private final CompletableFuture<Void> terminated = new CompletableFuture<>();
    private final Thread pollThread;

    /** Guarded by this for transitions. */
    private volatile EngineState state = EngineState.NEW;

    private volatile @Nullable Throwable fatal;
    private volatile @Nullable Duration closeTimeout;

    LaneKeeper(EngineSettings<K, V> settings) {
        engine = Engine.assemble(settings, this::fail);
        view = engine.view(() -> state);
        pollThread = new Thread(this::pollUntilClosed, engine.name() + "-poll");
    }

    /** An engine has to be told at least its client settings, topics, deserializers and handler. */
    public static <K, V> LaneKeeperBuilder<K, V> builder() {
        return new LaneKeeperBuilder<>();
    }

    /**
     * Begins to poll; returns at once.
     *
     * @throws IllegalStateException if started or closed before
     */
    public void start() {
        transitionTo(EngineState.RUNNING);
        pollThread.start();
    }

    /** What the engine is doing. */
    public EngineView view() {
        return view;
    }

    /**
     * Completes when the engine has ended: normally after {@link #close}, exceptionally with the error that it could not go
     * on from. Stages attached to it run on the poll thread, or the caller's.
     */
    public CompletableFuture<Void> terminated() {
        return terminated.copy();
    }

    /** {@link #close(Duration)} with the drain timeout of the builder. */
    @Override
    public void close() {
        close(engine.drainTimeout());
    }

    /**
     * Admits no more records, drops those that wait, lets those that run end for at most {@code timeout}, commits, and
     * leaves the group; then returns. What still runs is interrupted and will be delivered again. Idempotent; a second
     * caller waits for the first one's close. Called by a handler, it only asks for all this and returns at once.
     */
    public void close(Duration timeout) {
        boolean neverStarted;
        synchronized (this) {
            if (closeTimeout == null) {
                closeTimeout = timeout;
            }
            neverStarted = state == EngineState.NEW;
            if (neverStarted || state == EngineState.RUNNING) {
                transitionTo(EngineState.CLOSING);
            }
        }
        if (neverStarted) { // there is no poll thread to do it
            end(false, false);
        }
        if (Thread.currentThread() != pollThread && !engine.onWorkerThread()) {
            awaitTermination();
        }
    }

    private void awaitTermination() {
        boolean interrupted = false;
        while (true) {
            try {
                terminated.get(1, TimeUnit.DAYS);
                break;
            } catch (ExecutionException e) { // it failed: the one who asked for terminated() learns why
                break;
            } catch (TimeoutException e) {
                log.warn("still closing after a day");
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops the engine without a commit. Any thread; the first cause counts. */
    private void fail(Throwable cause) {
        synchronized (this) {
            if (fatal == null) {
                fatal = cause;
            }
        }
    }

    private void pollUntilClosed() {
        Intake intake = engine.intake();
        boolean closing = false;
        int abandoned = 0;
        try {
            engine.subscribe(() -> state == EngineState.RUNNING && fatal == null);
            while (state == EngineState.RUNNING && fatal == null) {
                intake.runOnce();
            }
            closing = fatal == null;
            if (closing) {
                Duration timeout = closeTimeout == null ? engine.drainTimeout() : closeTimeout;
                abandoned = intake.drainAndClose(timeout);
                if (abandoned > 0) {
                    log.warn(
                            "{}: closed with {} records still running; they will be delivered again",
                            engine.name(),
                            abandoned);
                }
            }
        } catch (Throwable t) { // whatever ends the loop must be seen, never swallowed
            fail(t);
        } finally {
            end(closing, abandoned > 0);
        }
    }

    private void end(boolean consumerClosed, boolean outOfTime) {
        Throwable cause = fatal;
        try {
            if (!consumerClosed) {
                engine.intake().close();
            }
        } catch (RuntimeException e) {
            log.warn("{}: the consumer could not be closed", engine.name(), e);
        }
        try {
            engine.releaseResources(outOfTime);
        } catch (RuntimeException e) {
            log.warn("{}: not everything could be released", engine.name(), e);
        }
        if (cause == null) {
            transitionTo(EngineState.CLOSED);
            log.info("{}: closed", engine.name());
            terminated.complete(null);
        } else {
            transitionTo(EngineState.FAILED);
            log.error("{}: stopped by an error it can't go on from", engine.name(), cause);
            terminated.completeExceptionally(cause);
        }
    }

    private synchronized void transitionTo(EngineState next) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException("engine " + engine.name() + " is " + state + " and can't become " + next);
        }
        state = next;
    }
}
