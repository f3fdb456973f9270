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
    private static final VarHandle PARKED;

    static {
        try {
            PARKED = MethodHandles.lookup().findVarHandle(TaskTicket.class, "parked", Place.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final GuardedFuture<T> result = new GuardedFuture<>(this);

    /** Whether anyone may have attached a dependent; written before that is done. */
    private volatile boolean watched;

    /** The successor, while this thread completes the result and somebody else may have to see to it. */
    @SuppressWarnings("unused") // through PARKED
    private volatile @Nullable Place<K> parked;

    private record Failed(Throwable cause) {}

    /** Its body ends when it returns or throws. */
    static <K, T> TaskTicket<K, T> blocking(Callable<? extends T> task) {
        return new Blocking<>(task);
    }

    /** Its body ends when the stage that it returns completes. */
    static <K, T> TaskTicket<K, T> async(Supplier<? extends CompletionStage<? extends T>> task) {
        return new Async<>(task);
    }

    /** What the body came to: see {@link #value} and {@link Failed}. Asked once the ticket has ended. */
    abstract @Nullable Object outcome();

    private static Object value(@Nullable Object value) {
        return value == null ? NULL : value;
    }

    /** Completed after the lane has been released. Cancelling it before its turn skips the body. */
    final CompletableFuture<T> result() {
        return result;
    }

    @Override
    protected final boolean cancelled() {
        return result.isDone(); // cancelled, or completed by the caller, while it was queued
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
        Object ended = outcome();
        if (ended instanceof Failed failed) {
            result.completeExceptionally(failed.cause());
        } else if (ended != null) {
            result.complete(ended == NULL ? null : (T) ended);
        }
    }

    private static final class Blocking<K, T> extends TaskTicket<K, T> {
        /**
         * The body, and when that has run, what it came to: so a future that is kept does not keep the body. If it never runs
         * because the future is completed already, nobody cares.
         */
        private Object work;

        Blocking(Callable<? extends T> task) {
            this.work = task;
        }

        @Override
        boolean endsWithStart() {
            return true;
        }

        @Override
        protected void start() {
            try {
                work = value(((Callable<?>) work).call());
            } catch (Throwable t) { // whatever a body throws is its result; the lane goes on
                work = new Failed(t);
            }
        }

        @Override
        protected void rejected(Throwable cause) {
            work = new Failed(cause);
        }

        @Override
        Object outcome() {
            return work;
        }
    }

    private static final class Async<K, T> extends TaskTicket<K, T> {
        private static final VarHandle OUTCOME;

        static {
            try {
                OUTCOME = MethodHandles.lookup().findVarHandle(Async.class, "outcome", Object.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private final Supplier<? extends CompletionStage<? extends T>> task;

        /** The first one counts. */
        private volatile @Nullable Object outcome;

        Async(Supplier<? extends CompletionStage<? extends T>> task) {
            this.task = task;
        }

        @Override
        protected void start() {
            try {
                CompletionStage<? extends T> stage = task.get();
                if (stage == null) {
                    throw new NullPointerException("the task returned a null stage");
                }
                stage.whenComplete((value, failure) -> {
                    if (failure == null) {
                        settleWith(value(value));
                    } else {
                        fail(failure instanceof CompletionException e && e.getCause() != null ? e.getCause() : failure);
                    }
                });
            } catch (Throwable t) { // as above
                fail(t);
            }
        }

        private boolean fail(Throwable cause) {
            return settleWith(new Failed(cause));
        }

        private boolean settleWith(Object first) {
            return OUTCOME.compareAndSet(this, null, first) && settle();
        }

        @Override
        boolean fence(Throwable cause) {
            return returned() && fail(cause);
        }

        @Override
        protected void rejected(Throwable cause) {
            outcome = new Failed(cause);
        }

        @Override
        @Nullable
        Object outcome() {
            return outcome;
        }
    }
}
