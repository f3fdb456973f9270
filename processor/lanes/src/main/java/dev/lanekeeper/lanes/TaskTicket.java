package dev.lanekeeper.lanes;

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
    private final Result result = new Result();

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
        return result.getNumberOfDependents() > 0;
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
        public <U> CompletableFuture<U> newIncompleteFuture() {
            return new CompletableFuture<>();
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
