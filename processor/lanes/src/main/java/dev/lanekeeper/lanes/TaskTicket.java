package dev.lanekeeper.lanes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The ticket behind {@link Lanes#submit} and {@link Lanes#submitAsync}: runs a body and then completes a future. */
abstract class TaskTicket<K, T> extends Ticket<K> {
    private static final VarHandle PARKED;

    static {
        try {
            PARKED = MethodHandles.lookup().findVarHandle(TaskTicket.class, "parked", Ticket.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Result result = new Result();

    /** Whether anyone may have attached a dependent; written before that is done. */
    private volatile boolean watched;

    /** The successor, while this thread completes the result and somebody else may have to have it started. */
    @SuppressWarnings("unused") // through PARKED
    private volatile @Nullable Ticket<K> parked;

    /** Written before the ticket is settled, read after its release. */
    private @Nullable T value;

    private @Nullable Throwable failure;

    static <K, T> TaskTicket<K, T> blocking(Callable<? extends T> task) {
        return new TaskTicket<>() {
            @Override
            void body() throws Exception {
                succeed(task.call());
            }
        };
    }

    static <K, T> TaskTicket<K, T> async(Supplier<? extends CompletionStage<? extends T>> task) {
        return new TaskTicket<>() {
            @Override
            void body() {
                CompletionStage<? extends T> stage = task.get();
                if (stage == null) {
                    throw new NullPointerException("the task returned a null stage");
                }
                stage.whenComplete((value, failure) -> {
                    if (failure == null) {
                        succeed(value);
                    } else {
                        fail(failure instanceof CompletionException e && e.getCause() != null ? e.getCause() : failure);
                    }
                });
            }
        };
    }

    abstract void body() throws Exception;

    /** Completed after the lane has been released. Cancelling it before its turn skips the body. */
    final CompletableFuture<T> result() {
        return result;
    }

    @Override
    protected final void start() {
        if (result.isDone()) { // cancelled, or completed by the caller, while it was queued
            settle();
            return;
        }
        try {
            body();
        } catch (Throwable t) { // whatever a body throws is its result; the lane goes on
            fail(t);
        }
    }

    final void succeed(@Nullable T outcome) {
        value = outcome;
        settle();
    }

    final void fail(Throwable cause) {
        failure = cause;
        settle();
    }

    @Override
    protected final void rejected(Throwable cause) {
        failure = cause;
    }

    @Override
    protected final boolean tellsOthers() {
        return watched || result.getNumberOfDependents() > 0;
    }

    /*
     * Completing the result runs its dependents right here, and one of them may wait for the successor. Those that are
     * known by now have had the successor handed on. One may still be attached between that look and the completion: so
     * the successor is parked, whoever attaches a dependent says so first and then takes what is parked, and this thread
     * parks first and then looks whether anyone said so. One of the two sees the other. Only allOf and anyOf, attached in
     * that moment, say nothing.
     */
    @Override
    final @Nullable Ticket<K> tell(@Nullable Ticket<K> successor) {
        if (successor == null) {
            released();
            return null;
        }
        PARKED.setVolatile(this, successor);
        Ticket<K> taken = watched ? unpark() : null;
        Ticket<K> mine = taken == null ? null : lane().home.handOn(taken);
        released();
        return mine == null ? unpark() : mine;
    }

    private void watched() {
        watched = true;
        Ticket<K> successor = unpark();
        if (successor != null) {
            lane().home.ready(successor);
        }
    }

    @SuppressWarnings("unchecked") // only successors in this lane are parked
    private @Nullable Ticket<K> unpark() {
        return parked == null ? null : (Ticket<K>) PARKED.getAndSet(this, null);
    }

    @Override
    @SuppressWarnings("NullAway") // a null value is the result of a body that returned null
    protected final void released() {
        if (failure == null) {
            result.complete(value);
        } else {
            result.completeExceptionally(failure);
        }
    }

    /** Refuses to be waited for by the one thread on which it could never complete. */
    private final class Result extends CompletableFuture<T> {
        @Override
        public T get() throws InterruptedException, ExecutionException {
            refuseSelfWait();
            return super.get();
        }

        @Override
        public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
            refuseSelfWait();
            return super.get(timeout, unit);
        }

        @Override
        public T join() {
            refuseSelfWait();
            return super.join();
        }

        @Override
        public <U> CompletableFuture<U> newIncompleteFuture() { // the first step of attaching a dependent
            watched();
            return new CompletableFuture<>();
        }

        @Override
        public CompletableFuture<T> toCompletableFuture() { // the first step if this is the second of two sources
            watched();
            return this;
        }

        private void refuseSelfWait() {
            if (!isDone() && behindCurrentThread()) {
                throw new IllegalStateException("a task of lane " + lane().key
                        + " waits for another task of the same lane, which can't run before it has ended;"
                        + " compose the stages instead of waiting");
            }
        }
    }
}
