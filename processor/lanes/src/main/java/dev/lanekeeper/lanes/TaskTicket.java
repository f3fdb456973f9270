package dev.lanekeeper.lanes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The ticket behind tasks: runs a body and then completes a future. */
abstract class TaskTicket<K, T> extends Ticket<K> {
    private static final Object NULL = new Object();
    private static final VarHandle OUTCOME;
    private static final VarHandle PARKED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            OUTCOME = lookup.findVarHandle(TaskTicket.class, "outcome", Object.class);
            PARKED = lookup.findVarHandle(TaskTicket.class, "parked", Place.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final GuardedFuture<T> result = new GuardedFuture<>(this);

    /** The value, {@link #NULL}, or a {@link Failed}; the first one counts. */
    private volatile @Nullable Object outcome;

    /** Whether anyone may have attached a dependent; written before that is done. */
    private volatile boolean watched;

    /** The successor, while this thread completes the result and somebody else may have to see to it. */
    @SuppressWarnings("unused") // through PARKED
    private volatile @Nullable Place<K> parked;

    private record Failed(Throwable cause) {}

    static <K, T> TaskTicket<K, T> blocking(Callable<? extends T> task) {
        return new TaskTicket<>() {
            @Override
            void body() throws Exception {
                end(task.call());
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
                        end(value);
                    } else {
                        fail(failure instanceof CompletionException e && e.getCause() != null ? e.getCause() : failure);
                    }
                });
            }

            @Override
            boolean fence(Throwable cause) {
                return returned() && fail(cause);
            }
        };
    }

    abstract void body() throws Exception;

    /** Completed after the lane has been released. Cancelling it before its turn skips the body. */
    final CompletableFuture<T> result() {
        return result;
    }

    @Override
    protected final boolean cancelled() {
        return result.isDone(); // cancelled, or completed by the caller, while it was queued
    }

    @Override
    protected final void start() {
        try {
            body();
        } catch (Throwable t) { // whatever a body throws is its result; the lane goes on
            fail(t);
        }
    }

    final void end(@Nullable Object value) {
        settleWith(value == null ? NULL : value);
    }

    final boolean fail(Throwable cause) {
        return settleWith(new Failed(cause));
    }

    private boolean settleWith(Object first) {
        return OUTCOME.compareAndSet(this, null, first) && settle();
    }

    @Override
    protected final void rejected(Throwable cause) {
        outcome = new Failed(cause);
    }

    @Override
    protected final boolean tellsOthers() {
        return watched || result.getNumberOfDependents() > 0;
    }

    /*
     * Completing the result runs its dependents right here, and one of them may wait for the successor. Those that are known
     * by now have had the successor handed on. One may still be attached between that look and the completion: so the
     * successor is parked, whoever attaches a dependent says so first and then takes what is parked, and this thread parks
     * first and then looks whether anyone said so. One of the two sees the other. Only allOf and anyOf, attached in that moment,
     * say nothing.
     */
    @Override
    final @Nullable Place<K> tell(@Nullable Place<K> successor) {
        if (successor == null) {
            released();
            return null;
        }
        PARKED.setVolatile(this, successor);
        if (watched) {
            standing().map().advance(unpark());
        }
        released();
        return unpark();
    }

    @Override
    final void watched() {
        watched = true;
        standing().map().advance(unpark());
    }

    @SuppressWarnings("unchecked") // only successors in this lane are parked
    private @Nullable Place<K> unpark() {
        return parked == null ? null : (Place<K>) PARKED.getAndSet(this, null);
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"
    }) // only values of T are put here; null is the result of a body that said so
    protected final void released() {
        Object ended = outcome;
        if (ended instanceof Failed failed) {
            result.completeExceptionally(failed.cause());
        } else if (ended != null) {
            result.complete(ended == NULL ? null : (T) ended);
        }
    }
}
