package dev.lanekeeper.lanes;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** One request for a pause, and once it is held, the pause itself. Its state is guarded by the lock of the gate. */
final class PauseRequest<K> implements Pause {
    /** Where a request is. */
    enum State {
        /** Others are before it. */
        QUEUED,
        /** Waits for what was submitted before it. */
        FENCING,
        /** The gate is closed; it looks for what runs. */
        LOOKING,
        /** Waits for what runs. */
        CLOSING,
        /** Nothing runs. */
        HELD,
        /** Over. */
        RELEASED,
        /** Given up: it took too long, or nobody wants it any more. */
        CANCELLED;

        private boolean mayBecome(State next) {
            return switch (this) {
                case QUEUED -> EnumSet.of(FENCING, LOOKING, CANCELLED).contains(next);
                case FENCING -> EnumSet.of(LOOKING, CANCELLED).contains(next);
                case LOOKING -> EnumSet.of(CLOSING, CANCELLED).contains(next);
                case CLOSING -> EnumSet.of(HELD, CANCELLED).contains(next);
                case HELD -> next == RELEASED;
                case RELEASED, CANCELLED -> false;
            };
        }
    }

    private final Gate<K> gate;
    private final LaneMap<K> map;
    private final PauseMode mode;
    private final Duration timeout;
    private final CompletableFuture<Pause> future = new CompletableFuture<>();
    private final Set<Ticket<K>> blockers = ConcurrentHashMap.newKeySet();
    private State state = State.QUEUED;
    private volatile @Nullable Future<?> alarm;

    PauseRequest(LaneMap<K> map, PauseMode mode, Duration timeout) {
        this.gate = map.gate();
        this.map = map;
        this.mode = mode;
        this.timeout = timeout;
    }

    /** Begins to wait; gives up when the alarm goes off, or the future is completed by anybody else. */
    CompletableFuture<Pause> begin(Alarms alarms) {
        alarm = alarms.after(timeout, this::expire);
        CompletableFuture<Pause> unused = future.whenComplete((pause, failure) -> {
            cancelAlarm();
            if (pause != this) { // cancelled, or completed by the caller, as orTimeout does
                gate.end(this, State.CANCELLED);
            }
        });
        gate.request(this);
        return future;
    }

    /** Waits for a pause on the calling thread; one that is interrupted wants it no more. */
    static Pause await(CompletableFuture<Pause> future) throws InterruptedException, PauseTimeoutException {
        try {
            return future.get();
        } catch (InterruptedException e) {
            if (!future.cancel(false) && !future.isCompletedExceptionally()) {
                future.join().close(); // held in this instant
            }
            throw e;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof PauseTimeoutException timeout) {
                throw timeout;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    PauseMode mode() {
        return mode;
    }

    /** Whether it has been given up or released. Under the gate's lock. */
    boolean over() {
        return state == State.RELEASED || state == State.CANCELLED;
    }

    /** Goes to {@code next} if the state allows it. Under the gate's lock. */
    boolean transition(State next) {
        if (!state.mayBecome(next)) {
            return false;
        }
        state = next;
        return true;
    }

    // -- what it waits for; see Gate for the order of the steps

    /** Waits for {@code ticket} if it runs. */
    void block(@Nullable Ticket<K> ticket) {
        if (ticket != null && ticket.running()) {
            ticket.startedNanos(); // what nobody timed is as old as this look, at least
            blockers.add(ticket);
            if (!ticket.running()) {
                blockers.remove(ticket);
            }
        }
    }

    boolean strikeOff(Ticket<K> ticket) {
        return blockers.remove(ticket);
    }

    boolean drained() {
        return blockers.isEmpty();
    }

    // -- how it ends

    /** Called once, when it is held, without the lock. */
    void grant() {
        if (!future.complete(this)) { // cancelled in this instant
            gate.end(this, State.RELEASED);
        }
    }

    private void expire() {
        List<Blocker<K>> waitedFor = Blocker.of(blockers, map.nanoTime().getAsLong());
        if (waitedFor.isEmpty()) {
            waitedFor = Blocker.of(map.holders(), map.nanoTime().getAsLong());
        }
        if (gate.end(this, State.CANCELLED)) {
            future.completeExceptionally(new PauseTimeoutException(timeout, waitedFor));
        }
    }

    private void cancelAlarm() {
        Future<?> pending = alarm;
        if (pending != null) {
            pending.cancel(false);
        }
    }

    @Override
    public void close() {
        if (!gate.end(this, State.RELEASED)) {
            throw new IllegalStateException("this pause was released before");
        }
    }

    @Override
    public String toString() {
        return "Pause[" + mode + "]";
    }
}
