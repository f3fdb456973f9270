package dev.lanekeeper.engine;

import dev.lanekeeper.engine.result.Transactions;
import dev.lanekeeper.lanes.Pause;
import dev.lanekeeper.lanes.PauseMode;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The real engine without a thread of its own: whoever has it moves it pass by pass, as {@link LaneKeeper}'s poll thread
 * does, and is its machine. Confined to one thread, which is the poll thread, every worker and the timer in turn.
 */
public final class SteppedEngine {
    /** Time and threads, of another making. */
    public interface Machine {
        /** Time that passes. */
        long nanoTime();

        /** Runs a task soon, not inside this call. May refuse. */
        void execute(Runnable task);

        /** Runs a task on a thread that may block. Never refuses. */
        void probe(Runnable task);

        /** Runs a task on the thread for transactions, one after the other; inside this call until the engine has begun. */
        void transact(Runnable task);

        /** Waits on the poll thread; {@code false} if it takes longer. */
        boolean await(BooleanSupplier done, long nanos);

        /** Runs a task later; {@code false} if it won't. */
        boolean schedule(Duration delay, Runnable task);

        /** Lets others go on, for at most so long. */
        void park(long nanos);
    }

    private final Engine engine;
    private final EngineView view;
    private @Nullable Throwable failure;

    /** Makes the engine of {@code builder}, which brings everything but time and threads. */
    public SteppedEngine(LaneKeeperBuilder<?, ?> builder, Machine machine) {
        engine = assemble(builder.executor(machine::execute).environment(new Simulated(machine)));
        view = engine.view(() -> EngineState.RUNNING, () -> failure);
    }

    private <K, V> Engine assemble(LaneKeeperBuilder<K, V> builder) {
        return Engine.assemble(builder.settings(), cause -> failure = failure == null ? cause : failure);
    }

    public void subscribe() {
        engine.subscribe(() -> true);
    }

    /** One pass of the poll thread; how much it did. */
    public int runOnce() {
        int done = engine.intake().runOnce();
        engine.pauses().passed();
        return done;
    }

    /** See {@link LaneKeeper#pause}. */
    public CompletableFuture<Pause> pause(PauseMode mode, Duration timeout) {
        return engine.pauses().pause(mode, timeout);
    }

    /** See {@link LaneKeeper#drain}. */
    public CompletableFuture<Pause> drain(Duration timeout) {
        return engine.pauses().drain(timeout);
    }

    /** See {@link LaneKeeper#resume}. */
    public void resume() {
        engine.pauses().resume();
    }

    /** See {@link LaneKeeper#resumePartition} and {@link LaneKeeper#skipRecord}. */
    public void resumePartition(TopicPartition partition, boolean skip) {
        engine.stops().resume(partition, skip);
    }

    /** Does something in the lanes of all these keys at once, in which nothing else runs then. */
    public CompletableFuture<Void> bulk(Collection<byte[]> keys, Supplier<CompletionStage<Void>> work) {
        return engine.lanes().submitAllAsync(keys.stream().map(Bytes::wrap).toList(), work);
    }

    /** What it can't go on from, if anything. */
    public @Nullable Throwable failure() {
        return failure;
    }

    /** The end in good order; how many records were still running. */
    public int drainAndClose(Duration timeout) {
        engine.intake().closeBy(engine.closingWithin(timeout));
        return engine.intake().drainAndClose(engine.pauses()::refuse);
    }

    /** The end after a failure. */
    public void closeIntake() {
        engine.intake().close();
    }

    /** What follows either; must not have to wait, so {@code drained} says whether anything is left in a lane. */
    public void releaseResources(boolean drained) {
        engine.releaseResources(!drained, null);
    }

    public EngineView view() {
        return view;
    }

    private record Simulated(Machine machine) implements Environment {
        @Override
        public long nanoTime() {
            return machine.nanoTime();
        }

        @Override
        public void park(long nanos) {
            machine.park(nanos);
        }

        @Override
        public ExecutorService transactionThread(String name) {
            return new SteppedExecutor(machine::transact);
        }

        @Override
        public Transactions.Waiting waiting() {
            return (end, nanos) -> machine.await(end::isDone, nanos);
        }

        @Override
        public ScheduledExecutorService laneAlarms() {
            return new SteppedAlarms(machine);
        }

        @Override
        public Timer timer(String name) {
            return new Timer() {
                private boolean closed;

                @Override
                public boolean schedule(Duration delay, Runnable task) {
                    return !closed
                            && machine.schedule(delay, () -> {
                                if (!closed) {
                                    task.run();
                                }
                            });
                }

                @Override
                public void close() {
                    closed = true;
                }
            };
        }

        @Override
        public ExecutorService probes(String name) {
            return new SteppedExecutor(machine::probe);
        }
    }
}
