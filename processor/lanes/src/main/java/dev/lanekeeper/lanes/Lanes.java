package dev.lanekeeper.lanes;

import java.time.Duration;
import java.util.Comparator;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serial execution per key: tasks of one key run one at a time, in the order in which they were submitted; tasks of
 * different keys run in parallel, as far as the executor goes. A key needs no set-up and leaves nothing behind: its lane
 * exists while it has tasks.
 *
 * <p>Thread-safe. Order is that of the calls: what one thread submits, or what threads submit one after another, runs
 * in that order per key; simultaneous calls are put in some order. A task sees everything that the task before it in its
 * lane did. No lock is held while a task runs, and no thread waits for a lane.
 *
 * <p>Tasks run on the executor of the {@link Builder}. One that refuses a task (shut down, or saturated) fails that
 * task's future with what it threw; the lane goes on with the next. An executor that runs tasks in the calling thread
 * works, but runs them inside {@code submit}.
 *
 * @param <K> the key; {@code equals} and {@code hashCode} decide what is one lane
 */
public final class Lanes<K> implements AutoCloseable {
    /** A lane with endless work gives its thread back after so many tasks, or after so long, if others may wait. */
    private static final int TURN_TASKS = 64;

    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final ConcurrentHashMap<K, Lane<K>> map = new ConcurrentHashMap<>();
    private final String name;
    private final Executor executor;
    private final @Nullable ExecutorService ownExecutor;
    private final LongSupplier nanoTime;
    private final LanesView<K> view = new LanesView<>(map);
    private final CountDownLatch drained = new CountDownLatch(1);
    private volatile boolean closed;

    private Lanes(Builder<K> builder) {
        name = builder.name;
        ownExecutor = builder.executor == null ? LaneThreads.pool(builder.name) : null;
        executor = builder.executor == null ? Objects.requireNonNull(ownExecutor) : builder.executor;
        nanoTime = builder.nanoTime;
    }

    /** Lanes for keys in their natural order. */
    public static <K extends Comparable<? super K>> Builder<K> builder() {
        return new Builder<>(Comparator.naturalOrder());
    }

    /** Lanes for keys in an order of the caller's, which must agree with {@code equals}. */
    public static <K> Builder<K> builder(Comparator<? super K> order) {
        return new Builder<>(order);
    }

    /**
     * Runs {@code task} when all earlier tasks of {@code key} have ended. The lane is held until it returns or throws.
     *
     * <p>The future completes after the lane has been released. Cancelling it before the task's turn skips the task;
     * later it has no effect on the task. Waiting for it inside a task of the same lane throws an {@link
     * IllegalStateException}: it would wait for itself.
     *
     * @throws RejectedExecutionException if closed
     */
    public <T> CompletableFuture<T> submit(K key, Callable<? extends T> task) {
        return enqueue(key, TaskTicket.<K, T>blocking(Objects.requireNonNull(task, "task")));
    }

    /**
     * Calls {@code task} when all earlier tasks of {@code key} have ended. The lane is held until the stage it returns
     * completes, on whatever thread; no thread is held. A {@code null} stage fails the future.
     *
     * <p>As for {@link #submit} otherwise.
     *
     * @throws RejectedExecutionException if closed
     */
    public <T> CompletableFuture<T> submitAsync(K key, Supplier<? extends CompletionStage<? extends T>> task) {
        return enqueue(key, TaskTicket.<K, T>async(Objects.requireNonNull(task, "task")));
    }

    private <T> CompletableFuture<T> enqueue(K key, TaskTicket<K, T> ticket) {
        enqueue(key, (Ticket<K>) ticket);
        return ticket.result();
    }

    /**
     * Puts a ticket at the end of the lane of {@code key}. For engines that bring their own tickets; a ticket can be
     * enqueued once only.
     *
     * @throws RejectedExecutionException if closed
     * @throws IllegalStateException if the ticket has been enqueued before
     */
    public void enqueue(K key, Ticket<K> ticket) {
        ticket.requireNew(); // before a lane is retained, which would stay so
        Lane<K> lane = retain(Objects.requireNonNull(key, "key"));
        if (closed) { // read after the lane is in the map: either this sees the close, or the close sees the lane
            lane.unretain();
            throw new RejectedExecutionException("lanes \"" + name + "\" are closed");
        }
        ticket.admittedTo(lane);
        if (lane.enqueue(ticket)) {
            ready(ticket);
        }
    }

    private Lane<K> retain(K key) {
        Lane<K> lane = map.get(key);
        while (true) {
            if (lane == null) {
                Lane<K> born = new Lane<>(key, this);
                lane = map.putIfAbsent(key, born);
                if (lane == null) {
                    return born;
                }
            }
            if (lane.retain()) {
                return lane;
            }
            map.remove(key, lane); // help the one who retires it instead of waiting for it
            lane = map.get(key);
        }
    }

    void unmap(Lane<K> lane) {
        map.remove(lane.key, lane);
        if (closed) {
            noteIfDrained();
        }
    }

    /**
     * The map counts an entry only after it can be found, and sums its counters one by one: its count may be 0 while a
     * lane is there, so one has to look. The other way round is harmless, as who lowers the count comes here afterwards.
     */
    private void noteIfDrained() {
        if (map.isEmpty() && !map.values().iterator().hasNext()) {
            drained.countDown();
        }
    }

    /** Has {@code ticket}, which heads its lane, started on the executor; if that refuses it, the ticket after it. */
    void ready(Ticket<K> ticket) {
        Ticket<K> head = ticket;
        while (head != null) {
            try {
                executor.execute(head);
                return;
            } catch (Throwable refusal) { // RejectedExecutionException, or no memory for another thread
                head = head.reject(refusal);
            }
        }
    }

    /**
     * As {@link #ready}, for a thread that drains the lane; returns the ticket that the caller is to go on with, if the
     * executor runs tasks in the thread that brings them.
     */
    @Nullable
    Ticket<K> handOn(Ticket<K> ticket) {
        Ticket<K> head = ticket;
        while (head != null) {
            HandOn<K> offer = new HandOn<>(head);
            try {
                offer.begin();
                executor.execute(offer);
                return offer.end() ? head : null;
            } catch (Throwable refusal) {
                offer.end();
                head = head.reject(refusal);
            }
        }
        return null;
    }

    /**
     * Runs a lane from its head on, until it is empty, held by a task that is not done, or has had its turn. Successors
     * come back here instead of being started by their predecessor, so the stack never grows.
     */
    void drain(Ticket<K> head) {
        long since = nanoTime.getAsLong();
        int left = TURN_TASKS;
        Ticket<K> successor = head.turn();
        while (successor != null) {
            // an interrupt is meant for this thread's owner: leave the flag as it is and get out of the way
            if (--left == 0
                    || nanoTime.getAsLong() - since > TURN_NANOS
                    || Thread.currentThread().isInterrupted()) {
                successor = handOn(successor);
                since = nanoTime.getAsLong();
                left = TURN_TASKS;
            }
            successor = successor == null ? null : successor.turn();
        }
    }

    /** Whether the calling thread is inside a task of these lanes; walks the live lanes. */
    public boolean onTaskThread() {
        return view.holderOnCurrentThread().isPresent();
    }

    /** What is going on, read without stopping anything. */
    public LanesView<K> view() {
        return view;
    }

    /**
     * Refuses further tasks and waits, uninterruptibly, until those submitted have ended. Idempotent.
     *
     * @throws IllegalStateException if called by a task of these lanes, which would wait for itself
     */
    @Override
    public void close() {
        boolean interrupted = false;
        while (true) {
            try {
                if (close(Duration.ofDays(1))) {
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

    /**
     * Refuses further tasks and waits at most {@code timeout} until those submitted have ended. What has not ended by
     * then goes on; call again to wait again.
     *
     * @return whether all have ended
     * @throws IllegalStateException if called by a task of these lanes, which would wait for itself
     */
    public boolean close(Duration timeout) throws InterruptedException {
        view.holderOnCurrentThread().ifPresent(key -> {
            throw new IllegalStateException("close waits for the task of lane " + key + ", which called it");
        });
        closed = true;
        noteIfDrained();
        if (!drained.await(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
            return false;
        }
        if (ownExecutor != null) {
            ownExecutor.shutdown();
        }
        return true;
    }

    /** Makes {@link Lanes}. Not thread-safe. */
    public static final class Builder<K> {
        private String name = "lanes";
        private @Nullable Executor executor;
        private LongSupplier nanoTime = System::nanoTime;

        private Builder(Comparator<? super K> order) {
            Objects.requireNonNull(order, "order");
        }

        /**
         * Where tasks run. By default threads of the lanes' own, virtual ones where the JVM has them (21 and later),
         * else up to 256 platform threads; all of them daemons.
         */
        public Builder<K> executor(Executor executor) {
            this.executor = Objects.requireNonNull(executor, "executor");
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

        /** Makes the lanes. */
        public Lanes<K> build() {
            return new Lanes<>(this);
        }
    }
}
