package dev.lanekeeper.engine;

import dev.lanekeeper.engine.handler.RateLimit;
import dev.lanekeeper.engine.intake.Closing;
import dev.lanekeeper.engine.intake.Intake;
import dev.lanekeeper.lanes.Pause;
import dev.lanekeeper.lanes.PauseMode;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
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

    private static final long ONE_DAY_NANOS = TimeUnit.DAYS.toNanos(1);

    /** How much longer than it should take a caller waits for a close. */
    private static final long SLACK_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Engine engine;
    private final EngineView view;
    private final CompletableFuture<Void> terminated = new CompletableFuture<>();
    private final Thread pollThread;

    /** Guarded by this for transitions. */
    private volatile EngineState state = EngineState.NEW;

    private volatile @Nullable Throwable fatal;
    private volatile @Nullable Closing closing;

    LaneKeeper(EngineSettings<K, V> settings) {
        engine = Engine.assemble(settings, this::fail);
        view = engine.view(() -> state, () -> fatal);
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
     * Has a stopped partition go on; see {@link EngineView#stoppedPartitions}. The record that stopped it is tried anew.
     *
     * @return {@code false} if it is not stopped
     */
    public boolean resumePartition(TopicPartition partition) {
        return engine.stops().resume(partition, false);
    }

    /** As {@link #resumePartition}, but the record that stopped it goes to the dead letters. */
    public boolean skipRecord(TopicPartition partition) {
        return engine.stops().resume(partition, true);
    }

    /**
     * Parks a customer from their next record on, or from the one that waits for a retry. Remembered by this engine only,
     * until there is a parked record; then it holds wherever the partition moves.
     *
     * @param laneKey the customer, as the bytes of their lane key
     * @throws IllegalStateException if this engine parks nothing; see {@link LaneKeeperBuilder#parkedRecords}
     */
    public void park(byte[] laneKey) {
        parking().ask(Bytes.wrap(laneKey));
    }

    /**
     * Has a customer's parked records handled, in order and before newer ones, and the customer unparked after the last. If
     * one fails for good again in a way that parks it or stops its partition, it stays parked with all that follow, and the
     * future fails; so it does if the partition is taken away. Call it on the instance whose {@link EngineView#parkedKeys}
     * shows the customer.
     *
     * @return how many records were replayed: 0 if nothing of the customer is parked here. Its dependents run on a thread of
     *     the engine's
     */
    public CompletableFuture<Long> unpark(byte[] laneKey) {
        Bytes key = Bytes.wrap(laneKey);
        parking().withdraw(key);
        return engine.replay(key, Long.MAX_VALUE, false);
    }

    /** Sends the first of a customer's parked records to the dead letters. The customer stays parked if there are more. */
    public CompletableFuture<Long> skipParked(byte[] laneKey) {
        parking();
        return engine.replay(Bytes.wrap(laneKey), 1, true);
    }

    private Parking<?, ?> parking() {
        Parking<?, ?> parking = engine.parking();
        if (parking == null) {
            throw new IllegalStateException(
                    "this engine parks nothing: neither do its failures park, nor has it been told a"
                            + " topic for parked records");
        }
        return parking;
    }

    /**
     * Completes when the engine has ended: normally after {@link #close}, exceptionally with the error that it could not go
     * on from. Stages attached to it run on the poll thread, or the caller's.
     */
    public CompletableFuture<Void> terminated() {
        return terminated.copy();
    }

    /**
     * Asks for a time in which no handler runs. From now on nothing starts; or in mode {@link PauseMode#SUBMITTED}, once what
     * was delivered before has been done. The future completes with the pause when nothing runs any more: close it to go on.
     * Meanwhile the engine stays in its group and polls, but fetches nothing, from partitions that are assigned to it in that
     * time neither; its offsets are committed. Several pauses come one after another. It may be asked for before the start.
     *
     * <p>If it isn't held after {@code timeout}, the future fails with a {@link
     * dev.lanekeeper.lanes.PauseTimeoutException} that names what still runs, and the engine goes on; likewise when it is
     * cancelled. What is attached to the future runs on a thread of the engine and must not block for long.
     *
     * @throws IllegalStateException if called by a handler, for which it would wait
     * @throws RejectedExecutionException if the engine is closing or closed
     */
    public CompletableFuture<Pause> pause(PauseMode mode, Duration timeout) {
        return engine.pauses().pause(mode, timeout);
    }

    /** {@link #pause(PauseMode, Duration)} that waits for what runs only. */
    public CompletableFuture<Pause> pause(Duration timeout) {
        return pause(PauseMode.RUNNING, timeout);
    }

    /**
     * Ends all pauses and drains, whoever has them, and gives up those that are asked for. A holder may still close its own,
     * which then does nothing.
     */
    public void resume() {
        engine.pauses().resume();
    }

    /**
     * Fetches nothing more and lets everything that was delivered be done, retries and dead letters included, and committed.
     * Then the future completes, with nothing left in the engine: {@link #close} it now, or close the pause to go on. If
     * that takes longer than {@code timeout}, the future fails with a {@link java.util.concurrent.TimeoutException} and the
     * engine goes on. As for {@link #pause} otherwise; while a pause is held, a drain gets no further.
     *
     * @throws IllegalStateException if called by a handler, for which it would wait
     * @throws RejectedExecutionException if the engine is closing or closed
     */
    public CompletableFuture<Pause> drain(Duration timeout) {
        return engine.pauses().drain(timeout);
    }

    /**
     * Lets so many attempts be under way at once from now on. If that is fewer than are, they end as they would have; none is
     * interrupted, and none begins until there are fewer.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public void concurrency(int attempts) {
        engine.concurrency(EngineSettings.requireConcurrency(attempts));
    }

    /** Changes the rate limit of the engine; who waits for it now waits by the new one. */
    public void rateLimit(RateLimit limit) {
        engine.pace().engine().limit(Objects.requireNonNull(limit, "limit"));
    }

    /** Changes the rate limit of each lane. Each begins with a full bucket; who waits now tries again within a second. */
    public void laneRateLimit(RateLimit limit) {
        engine.pace().lanes().limit(Objects.requireNonNull(limit, "limit"));
    }

    /** {@link #close(Duration)} with the drain timeout of the builder. */
    @Override
    public void close() {
        close(engine.drainTimeout());
    }

    /**
     * Admits no more records, drops those that wait, lets those that run end, commits, and leaves the group; then returns,
     * all this within {@code timeout}, and a second more if that is less than four. What still runs when it is time for the
     * last steps is interrupted and will be delivered again. A pause that is held ends first, if it does in that time; others
     * that are asked for fail. Idempotent; a second caller waits for the first one's close. Called by a handler, it only asks
     * for all this and returns at once.
     */
    public void close(Duration timeout) {
        boolean neverStarted;
        Closing times = engine.closingWithin(timeout);
        synchronized (this) {
            if (closing == null) {
                closing = times;
                engine.intake().closeBy(times);
            }
            times = closing;
            neverStarted = state == EngineState.NEW;
            if (neverStarted || state == EngineState.RUNNING) {
                transitionTo(EngineState.CLOSING);
            }
        }
        if (neverStarted) { // there is no poll thread to do it
            end(false, false);
        }
        if (Thread.currentThread() != pollThread && !engine.onWorkerThread()) {
            awaitTermination(times);
        }
    }

    private void awaitTermination(Closing times) {
        boolean interrupted = false;
        while (true) {
            try {
                terminated.get(Math.min(times.end().leftNanos(), ONE_DAY_NANOS) + SLACK_NANOS, TimeUnit.NANOSECONDS);
                break;
            } catch (ExecutionException e) { // it failed: the one who asked for terminated() learns why
                break;
            } catch (TimeoutException e) {
                if (times.end().passed()) { // it is in foreign code on the poll thread, or in the depths of a client
                    log.warn("{}: not closed in time; its poll thread is at {}", engine.name(), whereItPolls());
                    break;
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private String whereItPolls() {
        StackTraceElement[] stack = pollThread.getStackTrace();
        return stack.length == 0 ? "its end" : stack[0].toString();
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
        boolean asked = false;
        int abandoned = 0;
        try {
            boolean takesPart = engine.subscribe(() -> state == EngineState.RUNNING && fatal == null);
            while (state == EngineState.RUNNING && fatal == null) {
                intake.runOnce();
                engine.pauses().passed();
            }
            asked = takesPart && fatal == null;
            if (asked) {
                abandoned = intake.drainAndClose(this::mayLeave);
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
            end(asked, abandoned > 0);
        }
    }

    /** Asked after each pass of a close: whether no pause is held any more. An error ends it as it ends the loop. */
    private boolean mayLeave() {
        Throwable cause = fatal;
        if (cause != null) {
            throw new IllegalStateException("stopped by an error while it was being closed", cause);
        }
        return engine.pauses().refuse();
    }

    private void end(boolean consumerClosed, boolean outOfTime) {
        Throwable cause = fatal;
        boolean late = outOfTime;
        try {
            if (!consumerClosed) {
                engine.pauses().refuse(); // what runs may take its time, and who waits for a pause need not
                late |= engine.intake().close() > 0;
            }
        } catch (Throwable t) { // an Error too, as when there is no memory: those who wait for the end must hear of it
            log.warn("{}: the consumer could not be closed", engine.name(), t);
        }
        try {
            engine.releaseResources(late, closing);
        } catch (Throwable t) { // as above
            log.warn("{}: not everything could be released", engine.name(), t);
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
