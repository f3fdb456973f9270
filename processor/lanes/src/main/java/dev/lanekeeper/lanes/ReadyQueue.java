package dev.lanekeeper.lanes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/*
 * Why no ready ticket is forgotten
 * --------------------------------
 * Tickets that head their lanes are in one queue. Workers, which are this object running on the executor, take them from
 * there until it is empty: between two lanes there is no hop through the executor, and a lane that is not empty is run on
 * by the worker that has it.
 *
 * `scheduled` says that a worker is on its way: handed to the executor and not begun. At most one is, so the executor's own
 * queue never fills. It is set by whoever finds it unset
 *   - after adding a ticket,
 *   - as a worker, after taking a ticket while there are more, since that ticket may block: in this way the workers become
 *     as many as there is work for or as the executor has threads,
 *   - as a worker, after it has decided to stop and is not counted as active any more, if there are tickets.
 * A worker that begins unsets it *before* it looks at the queue. So after each addition somebody who looks at the queue
 * later is on the way or at work.
 *
 * If the executor refuses a worker while another is active, that one sees to what is there. If none is, nobody ever may:
 * then what is ready is refused. An active worker that has just found the queue empty looks again when it is not counted
 * any more, so that one of the two sees the ticket.
 *
 * Workers stop while the gate is closed, with the queue as it is; who opens the gate sends a worker again.
 */

/** The tickets that can start, and the workers that start them. Thread-safe without locks. */
final class ReadyQueue<K> implements Runnable {
    /** After so long a worker goes to the end of the executor's queue, for the sake of others who use it. */
    private static final long SHIFT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final VarHandle SCHEDULED;
    private static final VarHandle ACTIVE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            SCHEDULED = lookup.findVarHandle(ReadyQueue.class, "scheduled", boolean.class);
            ACTIVE = lookup.findVarHandle(ReadyQueue.class, "active", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final LaneMap<K> map;
    private final Executor executor;
    private final ConcurrentLinkedQueue<Ticket<K>> tickets = new ConcurrentLinkedQueue<>();
    private volatile boolean scheduled;

    @SuppressWarnings("unused") // through ACTIVE
    private volatile int active;

    ReadyQueue(LaneMap<K> map, Executor executor) {
        this.map = map;
        this.executor = executor;
    }

    /** Has {@code ticket} started when its turn comes. */
    void add(Ticket<K> ticket) {
        tickets.add(ticket);
        sendWorker();
    }

    /** Has whatever is ready seen to; called when the gate opens. */
    void wake() {
        if (!tickets.isEmpty()) {
            sendWorker();
        }
    }

    private void sendWorker() {
        if (!scheduled && SCHEDULED.compareAndSet(this, false, true)) {
            try {
                executor.execute(this);
            } catch (Throwable refusal) { // RejectedExecutionException, or no memory for another thread
                scheduled = false;
                if (active == 0) {
                    refuseAll(refusal);
                }
            }
        }
    }

    private void refuseAll(Throwable cause) {
        for (Ticket<K> ticket = tickets.poll(); ticket != null; ticket = tickets.poll()) {
            Ticket<K> next = ticket;
            while (next != null) {
                next = map.passOn(next.reject(cause));
            }
        }
    }

    /** One shift of a worker. */
    @Override
    public void run() {
        ACTIVE.getAndAdd(this, 1);
        scheduled = false;
        try {
            work();
        } finally {
            ACTIVE.getAndAdd(this, -1);
            if (!map.gate().closed()) {
                wake();
            }
        }
    }

    private void work() {
        long begin = map.nanoTime().getAsLong();
        long now = begin;
        // an interrupt is meant for this thread's owner: leave the flag as it is and get out of the way
        while (now - begin < SHIFT_NANOS
                && !map.gate().closed()
                && !Thread.currentThread().isInterrupted()) {
            Ticket<K> ticket = tickets.poll();
            if (ticket == null) {
                return;
            }
            if (!tickets.isEmpty()) {
                sendWorker();
            }
            now = map.runLane(ticket, now);
        }
    }
}
