package dev.lanekeeper.lanes;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serial execution per key: tasks of one key run one at a time, in the order in which they were submitted; tasks of different
 * keys run in parallel, as far as the executor goes. A key needs no set-up and leaves nothing: its lane lives while it is used.
 *
 * <p>Beside tasks, a lane can be held for something that is no task ({@link #acquire}, {@link #hold}), several lanes at once
 * ({@link #submitAll}, {@link #acquireAll}), and everything can be paused ({@link #pause}). All wait in the same lines.
 *
 * <p>Thread-safe. Order is that of the calls: what one thread submits, or what threads submit one after another, runs in
 * that order per key; simultaneous calls are put in some order. A task sees everything that the task before it in its lane
 * did. No lock is held while a task runs, and no thread waits for a lane but one that calls {@link #hold}. Between a bulk and
 * single tasks that other threads submit at the same time there is an order in each lane, but not always the same in all.
 *
 * <p>Tasks run on the executor of the {@link Builder}. One that refuses a task (shut down, or saturated) fails that
 * task's future with what it threw; the lane goes on with the next. An executor that runs tasks in the calling thread works,
 * but runs them inside {@code submit}.
 *
 * <p>{@code null} arguments are refused with a {@link NullPointerException} that names them.
 *
 * @param <K> the key; {@code equals} and {@code hashCode} decide what is one lane
 */
public final class Lanes<K> implements AutoCloseable {
    private final BulkKeys<K> bulkKeys;
    private final @Nullable ExecutorService ownExecutor;
    private final Alarms alarms;
    private final LaneMap<K> map;
    private final LanesView<K> view;

    private Lanes(Builder<K> builder) {
        bulkKeys = new BulkKeys<>(builder.order, builder.bulkLimit);
        ownExecutor = builder.executor == null ? LaneThreads.pool(builder.name) : null;
        Executor executor = builder.executor == null ? Objects.requireNonNull(ownExecutor) : builder.executor;
        map = new LaneMap<>(builder.name, executor, builder.nanoTime, builder.timeout != null);
        view = new LanesView<>(map);
        alarms = new Alarms(builder.name, builder.timer);
        if (builder.timeout != null) {
            alarms.every(
                    OverdueWatch.interval(builder.timeout),
                    new OverdueWatch<>(map, builder.timeout, builder.policy, builder.overdueListener));
        }
    }

    /** Lanes for keys in their natural order. */
    public static <K extends Comparable<? super K>> Builder<K> builder() {
        return new Builder<>(Comparator.naturalOrder());
    }

    /** Lanes for keys in an order of the caller's, which must agree with {@code equals}. */
    public static <K> Builder<K> builder(Comparator<? super K> order) {
        return new Builder<>(order);
    }

    // -- one lane

    /**
     * Runs {@code task} when all that came to the lane of {@code key} before it has ended. The lane is held until it returns
     * or throws.
     *
     * <p>The future completes after the lane has been released. Cancelling it before the task's turn skips the task; later
     * it has no effect on the task. Waiting for it inside a task of the same lane throws an {@link IllegalStateException}: it
     * would wait for itself. Stages attached to it without an executor may run on a thread of the lanes: like a task, they
     * must not wait for the same lane.
     *
     * @throws RejectedExecutionException if closed
     */
    public <T> CompletableFuture<T> submit(K key, Callable<? extends T> task) {
        TaskTicket<K, T> ticket = TaskTicket.<K, T>blocking(Objects.requireNonNull(task, "task"));
        enqueue(key, ticket);
        return ticket.result();
    }

    /**
     * Calls {@code task} when all that came to the lane of {@code key} before it has ended. The lane is held until the stage
     * it returns completes, on whatever thread; no thread is held. A {@code null} stage fails the future.
     *
     * <p>As for {@link #submit} otherwise.
     *
     * @throws RejectedExecutionException if closed
     */
    public <T> CompletableFuture<T> submitAsync(K key, Supplier<? extends CompletionStage<? extends T>> task) {
        TaskTicket<K, T> ticket = TaskTicket.<K, T>async(Objects.requireNonNull(task, "task"));
        enqueue(key, ticket);
        return ticket.result();
    }

    /**
     * Takes hold of the lane of {@code key} when all that came to it before has ended. Cancelling the future, or completing
     * it otherwise (as {@code orTimeout} does), before the lane is granted gives up the place in line. Stages derived from it
     * are not that future: who cancels those has to close the hold.
     *
     * @throws RejectedExecutionException if closed
     */
    public CompletableFuture<Hold> acquire(K key) {
        HoldTicket.Promised<K> ticket = new HoldTicket.Promised<>();
        grantOnTheSpot(map.enqueue(Objects.requireNonNull(key, "key"), ticket), ticket);
        return ticket.future();
    }

    /**
     * Takes hold of the lane of {@code key}, waiting on the calling thread.
     *
     * @throws IllegalStateException if called by a task of that lane, for which it would wait
     * @throws RejectedExecutionException if closed
     */
    public Hold hold(K key) throws InterruptedException {
        HoldTicket.Awaited<K> ticket = new HoldTicket.Awaited<>();
        return granted(key, ticket) ? ticket : ticket.await();
    }

    /**
     * Takes hold of the lane of {@code key}, waiting on the calling thread for at most {@code timeout}.
     *
     * @throws TimeoutException if it was not granted in time; the place in line is given up
     * @throws IllegalStateException if called by a task of that lane, for which it would wait
     * @throws RejectedExecutionException if closed
     */
    public Hold hold(K key, Duration timeout) throws InterruptedException, TimeoutException {
        Objects.requireNonNull(timeout, "timeout");
        HoldTicket.Awaited<K> ticket = new HoldTicket.Awaited<>();
        return granted(key, ticket) ? ticket : ticket.await(timeout);
    }

    private boolean granted(K key, HoldTicket.Awaited<K> ticket) {
        return map.enqueue(Objects.requireNonNull(key, "key"), ticket) && ticket.takeAtOnce(map.timeOfLightTurn());
    }

    // -- several lanes

    /**
     * Runs {@code task} when all that came to the lanes of {@code keys} before it has ended. All the lanes are held until it
     * returns or throws; none of them idles for longer than the slowest takes to come free, and no thread waits. However
     * bulks overlap and in whatever order callers name keys, they don't block each other for ever.
     *
     * <p>A key named twice counts once; without keys, the task just runs. As for {@link #submit} otherwise.
     *
     * @throws IllegalArgumentException if there are more keys than the bulk limit
     * @throws RejectedExecutionException if closed
     */
    public <T> CompletableFuture<T> submitAll(Collection<? extends K> keys, Callable<? extends T> task) {
        TaskTicket<K, T> ticket = TaskTicket.<K, T>blocking(Objects.requireNonNull(task, "task"));
        enqueueAll(keys, ticket);
        return ticket.result();
    }

    /**
     * As {@link #submitAll}; the lanes are held until the stage that {@code task} returns completes.
     *
     * @throws IllegalArgumentException if there are more keys than the bulk limit
     * @throws RejectedExecutionException if closed
     */
    public <T> CompletableFuture<T> submitAllAsync(
            Collection<? extends K> keys, Supplier<? extends CompletionStage<? extends T>> task) {
        TaskTicket<K, T> ticket = TaskTicket.<K, T>async(Objects.requireNonNull(task, "task"));
        enqueueAll(keys, ticket);
        return ticket.result();
    }

    /**
     * Takes hold of the lanes of {@code keys}; as {@link #acquire} and {@link #submitAll}.
     *
     * @throws IllegalArgumentException if there are more keys than the bulk limit
     * @throws RejectedExecutionException if closed
     */
    public CompletableFuture<Hold> acquireAll(Collection<? extends K> keys) {
        HoldTicket.Promised<K> ticket = new HoldTicket.Promised<>();
        grantOnTheSpot(map.enqueueAll(bulkKeys.of(keys), ticket), ticket);
        return ticket.future();
    }

    /** Nobody can have attached anything to the future yet, so no foreign code runs here. */
    private void grantOnTheSpot(boolean heads, HoldTicket.Promised<K> ticket) {
        if (heads) {
            map.advance(ticket.turn(map.nanoTime().getAsLong()));
        }
    }

    /**
     * Puts a ticket at the end of the lane of {@code key}. For engines that bring their own tickets; a ticket can be enqueued
     * once only.
     *
     * @throws IllegalStateException if the ticket has been enqueued before
     * @throws RejectedExecutionException if closed
     */
    public void enqueue(K key, Ticket<K> ticket) {
        if (map.enqueue(Objects.requireNonNull(key, "key"), ticket)) {
            map.start(ticket);
        }
    }

    /** As {@link #enqueue}, for tickets that come many at a time. */
    public Arrivals<K> arrivals() {
        return map.arrivals();
    }

    /**
     * Puts a ticket at the end of the lanes of {@code keys}, as {@link #submitAll} does a task.
     *
     * @throws IllegalArgumentException if there are more keys than the bulk limit
     * @throws RejectedExecutionException if closed
     */
    public void enqueueAll(Collection<? extends K> keys, Ticket<K> ticket) {
        if (map.enqueueAll(bulkKeys.of(keys), ticket)) {
            map.start(ticket);
        }
    }

    // -- all lanes

    /**
     * Asks for a time in which nothing runs in any lane, of keys that nobody has used yet neither. Nothing starts from now
     * on, or in mode {@link PauseMode#SUBMITTED}, once what was submitted has ended; the future completes when nothing runs.
     * Several pauses come one after another; what waited during one runs before the next.
     *
     * <p>If it isn't held after {@code timeout}, the future fails with a {@link PauseTimeoutException} that names what still
     * runs, and the lanes go on; likewise when it is cancelled or completed otherwise.
     *
     * @throws IllegalStateException if called by a task, for which it would wait
     * @throws RejectedExecutionException if closed
     */
    public CompletableFuture<Pause> pause(PauseMode mode, Duration timeout) {
        Objects.requireNonNull(mode, "mode");
        Objects.requireNonNull(timeout, "timeout");
        Thread caller = Thread.currentThread();
        view.holderOn(caller).ifPresent(blocker -> {
            throw new IllegalStateException("the task of lane " + blocker.label()
                    + " asks for a pause, which would wait for that task; ask for it when the task has ended");
        });
        if (map.gate().exclusiveOn(caller)) {
            throw new IllegalStateException("a task that runs exclusively asks for a pause, which would wait for it");
        }
        map.refuseIfClosed();
        return new PauseRequest<>(map, mode, timeout).begin(alarms);
    }

    /**
     * Runs {@code task} on the calling thread while nothing runs in any lane; waits at most {@code timeout} for what runs.
     *
     * @throws PauseTimeoutException if something still ran after {@code timeout}
     * @throws IllegalStateException if called by a task, for which it would wait
     * @throws RejectedExecutionException if closed
     * @throws Exception what {@code task} throws
     */
    public <T> T runExclusively(Callable<? extends T> task, Duration timeout) throws Exception {
        Objects.requireNonNull(task, "task");
        Pause pause = PauseRequest.await(pause(PauseMode.RUNNING, timeout));
        map.gate().exclusive(Thread.currentThread());
        try {
            return task.call();
        } finally {
            map.gate().exclusive(null); // before the pause ends: the mark of the next one is not to be touched
            pause.close();
        }
    }

    /** Whether the calling thread is inside a task of these lanes; walks the live lanes. */
    public boolean onTaskThread() {
        return view.holderOn(Thread.currentThread()).isPresent();
    }

    /** What is going on, read without stopping anything. */
    public LanesView<K> view() {
        return view;
    }

    /**
     * Refuses whatever comes and waits, uninterruptibly, until all that is in line has ended, holds included. Idempotent.
     *
     * @throws IllegalStateException if called by a task of these lanes, which would wait for itself
     */
    @Override
    public void close() {
        refuseAll();
        map.awaitDrained();
        releaseThreads();
    }

    /**
     * Refuses whatever comes and waits at most {@code timeout} until all that is in line has ended. What has not ended by
     * then goes on; call again to wait again.
     *
     * @return whether all have ended
     * @throws IllegalStateException if called by a task of these lanes, which would wait for itself
     */
    public boolean close(Duration timeout) throws InterruptedException {
        refuseAll();
        if (!map.awaitDrained(timeout)) {
            return false;
        }
        releaseThreads();
        return true;
    }

    private void refuseAll() {
        view.holderOn(Thread.currentThread()).ifPresent(blocker -> {
            throw new IllegalStateException(
                    "close waits for the task of lane " + blocker.label() + ", which called it");
        });
        if (map.gate().exclusiveOn(Thread.currentThread())) {
            throw new IllegalStateException("a task that runs exclusively asks to close, which may wait for it");
        }
        map.close();
    }

    private void releaseThreads() {
        alarms.close();
        if (ownExecutor != null) {
            ownExecutor.shutdown();
        }
    }

    /** Makes {@link Lanes}; everything has a default. Not thread-safe. */
    public static final class Builder<K> {
        private final Comparator<? super K> order;
        private String name = "lanes";
        private @Nullable Executor executor;
        private @Nullable ScheduledExecutorService timer;
        private LongSupplier nanoTime = System::nanoTime;
        private int bulkLimit = 1000;
        private @Nullable Duration timeout;
        private TimeoutPolicy policy = TimeoutPolicy.HOLD;
        private Consumer<? super Blocker<K>> overdueListener = blocker -> {};

        private Builder(Comparator<? super K> order) {
            this.order = Objects.requireNonNull(order, "order");
        }

        /**
         * Where tasks run. By default threads of the lanes' own, virtual ones where the JVM has them (21 and later), else up to
         * 256 platform threads; all of them daemons.
         */
        public Builder<K> executor(Executor executor) {
            this.executor = Objects.requireNonNull(executor, "executor");
            return this;
        }

        /** Where timeouts of pauses and tasks are waited for; by default a daemon thread that begins with the first of them. */
        public Builder<K> timer(ScheduledExecutorService timer) {
            this.timer = Objects.requireNonNull(timer, "timer");
            return this;
        }

        /** The source of elapsed time, in nanoseconds, as {@link System#nanoTime}. */
        public Builder<K> clock(LongSupplier nanoTime) {
            this.nanoTime = Objects.requireNonNull(nanoTime, "nanoTime");
            return this;
        }

        /** Names the lanes in messages and their threads. */
        public Builder<K> name(String name) {
            this.name = Objects.requireNonNull(name, "name");
            return this;
        }

        /** The largest number of lanes that one bulk may hold; 1,000 by default. Each idles until the slowest is free. */
        public Builder<K> bulkLimit(int lanes) {
            if (lanes < 1) {
                throw new IllegalArgumentException("bulkLimit must be at least 1: " + lanes);
            }
            this.bulkLimit = lanes;
            return this;
        }

        /**
         * How long a task or a hold may last, from its start, before {@code listener} hears of it, once, at most a quarter of
         * that later and on the thread of the timer; none by default. What else happens is up to {@code policy}.
         */
        public Builder<K> timeout(Duration timeout, TimeoutPolicy policy, Consumer<? super Blocker<K>> listener) {
            if (timeout.isNegative() || timeout.isZero()) {
                throw new IllegalArgumentException("timeout must be positive: " + timeout);
            }
            this.timeout = timeout;
            this.policy = Objects.requireNonNull(policy, "policy");
            this.overdueListener = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /** Makes the lanes. */
        public Lanes<K> build() {
            return new Lanes<>(this);
        }
    }
}
