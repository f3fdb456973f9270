package dev.lanekeeper.lanes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The ticket behind holds: its work begins when it is granted and ends when it is closed. */
abstract class HoldTicket<K> extends Ticket<K> implements Hold {
    @Override
    public final void close() {
        if (!settle()) {
            throw new IllegalStateException("the hold of " + standing().label() + " was given back before");
        }
    }

    @Override
    public final String toString() {
        return "Hold[" + standing().label() + "]";
    }

    /** Granted by completing a future. */
    static final class Promised<K> extends HoldTicket<K> {
        private final GuardedFuture<Hold> future = new GuardedFuture<>(this);

        /** Cancelling it, or completing it otherwise, before it is granted gives up the place. */
        CompletableFuture<Hold> future() {
            return future;
        }

        @Override
        protected boolean cancelled() {
            return future.isDone();
        }

        @Override
        protected void start() {
            if (!future.complete(this)) { // cancelled in this instant
                settle();
            }
        }

        @Override
        protected void rejected(Throwable cause) {
            future.completeExceptionally(cause);
        }
    }

    /** Granted by waking up the thread that waits for it. */
    static final class Awaited<K> extends HoldTicket<K> {
        private static final byte WAITING = 0;
        private static final byte GRANTED = 1;
        private static final byte GIVEN_UP = 2;

        /** Some 10 microseconds each, a fraction of what it takes to fall asleep and be woken. */
        private static final int SPINS = 300;

        private static final int YIELDS = 20;
        private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
        private static final VarHandle GRANT;

        static {
            try {
                GRANT = MethodHandles.lookup().findVarHandle(Awaited.class, "grant", byte.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private @Nullable Thread waiter = Thread.currentThread();
        private volatile byte grant; // WAITING

        @Override
        boolean light() {
            return true;
        }

        @Override
        protected boolean cancelled() {
            return grant == GIVEN_UP;
        }

        @Override
        protected void start() {
            if (GRANT.compareAndSet(this, WAITING, GRANTED)) {
                wake(waiter);
            } else {
                settle();
            }
        }

        private static void wake(@Nullable Thread thread) {
            if (thread != Thread.currentThread()) { // its own one, if the gate opened in this instant
                LockSupport.unpark(thread);
            }
        }

        /** Takes the lane on the thread that made this, when it heads it; {@code false} if it has to wait for the gate. */
        boolean takeAtOnce(long now) {
            if (!takeUp(now)) {
                return false;
            }
            waiter = null;
            return true;
        }

        /** Waits on the thread that made this. */
        Hold await() throws InterruptedException {
            try {
                return awaitGrant(null);
            } catch (TimeoutException e) {
                throw new AssertionError("without a timeout", e);
            }
        }

        /** Waits on the thread that made this, for so long at most. */
        Hold await(Duration timeout) throws InterruptedException, TimeoutException {
            return awaitGrant(timeout);
        }

        private Hold awaitGrant(@Nullable Duration timeout) throws InterruptedException, TimeoutException {
            long deadline = timeout == null ? 0 : System.nanoTime() + TimeUnit.NANOSECONDS.convert(timeout);
            if (grant == WAITING) {
                refuseSelfWait();
                linger(timeout != null, deadline);
            }
            while (grant == WAITING) {
                if (Thread.interrupted()) {
                    if (giveUp()) {
                        throw new InterruptedException();
                    }
                    Thread.currentThread().interrupt(); // granted in this instant: what has been taken is handed over
                } else if (timeout == null) {
                    LockSupport.park(this);
                } else {
                    long left = deadline - System.nanoTime();
                    if (left <= 0 && giveUp()) {
                        throw new TimeoutException("not granted after " + timeout + ": " + this);
                    }
                    LockSupport.parkNanos(this, left);
                }
            }
            waiter = null;
            return this;
        }

        /**
         * A short wait without sleep, since to be woken takes longer than most holds last. Where everyone in line may have a processor,
         * this one keeps its own and looks on; where not, it lets others run, the holder among them.
         */
        @SuppressWarnings("ThreadPriorityCheck") // only a hint: what is right does not depend on it
        private void linger(boolean timed, long deadline) {
            if (standing().length() <= PROCESSORS) {
                for (int left = SPINS; left > 0 && waits(timed, deadline); left--) {
                    Thread.onSpinWait();
                }
            }
            for (int left = YIELDS; left > 0 && waits(timed, deadline); left--) {
                Thread.yield();
            }
        }

        private boolean waits(boolean timed, long deadline) {
            return grant == WAITING && (!timed || deadline - System.nanoTime() > 0);
        }

        private void refuseSelfWait() {
            try {
                refuseToBeAwaitedHere();
            } catch (IllegalStateException e) {
                if (giveUp()) {
                    throw e;
                }
            }
        }

        /** {@code false} if it was granted before. */
        private boolean giveUp() {
            return GRANT.compareAndSet(this, WAITING, GIVEN_UP);
        }
    }
}
