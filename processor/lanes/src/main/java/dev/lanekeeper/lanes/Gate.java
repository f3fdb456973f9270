package dev.lanekeeper.lanes;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/*
 * Why nothing runs inside a pause, and nobody pays for it outside one
 * -------------------------------------------------------------------
 * There is no count of what is in flight. Each ticket has a word that says whether it runs, and its lane knows it: together
 * these words are the count, striped as finely as can be. A ticket that starts and a pause that begins meet as in Dekker's
 * algorithm, each writing its own word before it reads the other's:
 *
 *   ticket   lane.holder = ticket;  state: QUEUED -> RUNNING (CAS);  read closed;  if closed: back to QUEUED, wait here
 *   pause    closed = true;  read the state of every lane's holder: whatever runs is a blocker
 *
 * (A hold that is granted on the caller's own thread goes from QUEUED to RETURNED in the first step and back in the last: to
 * this argument the two states are one.)
 *
 * If the ticket read `closed` as false, its state was RUNNING before `closed` became true, and the pause sees it. Else it
 * backs out. The same in the other direction at its end:
 *
 *   ticket   state = DONE;  read closed;  if closed: strike it off the blockers
 *   pause    add it to the blockers;  read its state again;  if it does not run: strike it off
 *
 * One of the two strikes it off. Lanes that are born while the pause looks around belong to tickets that come after
 * `closed` and back out. So the pause is held when the look-around is over and no blocker is left, and stays so. Each
 * request has blockers of its own: a late stroke meant for an earlier one means nothing to it.
 *
 * A ticket that waits here heads its lane but does not run: a pause never waits for work that is in line, so that it can't
 * wait for a lane whose head waits for the pause. Between "it is closed" and joining those who wait, the gate may open:
 * therefore a ticket that has joined looks again, and whoever takes it out of the set is the one who starts it.
 *
 * Most of what is ready never comes here: workers stop when the gate is closed, and ReadyQueue stays as it is.
 *
 * Pauses take turns in the order of their requests. When one ends, the next begins only when all that was ready by then has
 * been taken by a worker; that is bounded, and what becomes ready later waits. So neither can starve the other.
 *
 * The cost is one volatile read per start and per end, and a walk over the live lanes per pause.
 */

/**
 * Lets tickets start, or holds them while a pause is on. Thread-safe; the lock guards requests and is never held over
 * foreign code.
 */
final class Gate<K> {
    private final LaneMap<K> map;
    private final Set<Ticket<K>> waiting = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();

    /** Requests after the current one. Guarded by lock. */
    private final Queue<PauseRequest<K>> queue = new ArrayDeque<>();

    /** The request whose turn it is. Written under lock. */
    private volatile @Nullable PauseRequest<K> current;

    /** Written under lock. */
    private volatile boolean closed;

    /** The thread that runs alone, inside {@link Lanes#runExclusively}. */
    private volatile @Nullable Thread exclusive;

    Gate(LaneMap<K> map) {
        this.map = map;
    }

    // -- for tickets

    boolean closed() {
        return closed;
    }

    /** Makes a ticket that backed out wait; {@code false} if the gate has opened meanwhile and it may try again. */
    boolean park(Ticket<K> ticket) {
        waiting.add(ticket);
        return closed || !waiting.remove(ticket);
    }

    /** Called when a ticket that a pause may wait for has ended, or backed out. */
    void ended(Ticket<K> ticket) {
        PauseRequest<K> request = current;
        if (request != null && request.strikeOff(ticket)) {
            holdIfDrained(request);
        }
    }

    // -- for requests

    void request(PauseRequest<K> request) {
        lock.lock();
        try {
            if (request.over()) {
                return; // given up before it was asked for: nobody would end it a second time
            }
            if (current != null) {
                queue.add(request);
                return;
            }
            current = request;
        } finally {
            lock.unlock();
        }
        begin(request);
    }

    private void begin(PauseRequest<K> request) {
        if (request.mode() == PauseMode.RUNNING) {
            close(request);
        } else if (transition(request, PauseRequest.State.FENCING)) {
            map.afterAllSubmitted(() -> close(request));
        }
    }

    private void close(PauseRequest<K> request) {
        lock.lock();
        try {
            if (!request.transition(PauseRequest.State.LOOKING)) {
                return; // given up while the fences were passed
            }
            closed = true;
        } finally {
            lock.unlock();
        }
        for (Lane<K> lane : map.live()) {
            request.block(lane.holder());
        }
        map.laneless().forEach(request::block);
        if (transition(request, PauseRequest.State.CLOSING)) {
            holdIfDrained(request);
        }
    }

    private void holdIfDrained(PauseRequest<K> request) {
        boolean held;
        lock.lock();
        try {
            held = request.drained() && request.transition(PauseRequest.State.HELD);
        } finally {
            lock.unlock();
        }
        if (held) {
            request.grant();
        }
    }

    /** Ends a request that is held, or gives up one that is not yet; {@code false} if it is in another state. */
    boolean end(PauseRequest<K> request, PauseRequest.State end) {
        PauseRequest<K> next;
        List<Ticket<K>> admitted = List.of();
        lock.lock();
        try {
            if (!request.transition(end)) {
                return false;
            }
            if (current != request) {
                queue.remove(request);
                return true;
            }
            next = queue.poll();
            current = next;
            if (closed) {
                closed = false;
                admitted = List.copyOf(waiting);
            }
        } finally {
            lock.unlock();
        }
        for (Ticket<K> ticket : admitted) {
            if (waiting.remove(ticket)) {
                map.execute(ticket);
            }
        }
        map.wake();
        if (next != null) {
            map.afterAllReady(() -> begin(next));
        }
        return true;
    }

    private boolean transition(PauseRequest<K> request, PauseRequest.State state) {
        lock.lock();
        try {
            return request.transition(state);
        } finally {
            lock.unlock();
        }
    }

    // -- for the thread that runs alone

    void exclusive(@Nullable Thread thread) {
        exclusive = thread;
    }

    boolean exclusiveOn(Thread thread) {
        return exclusive == thread;
    }
}
