package dev.lanekeeper.lanes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/*
 * Why no ready ticket is forgotten
 * --------------------------------
 * Tickets that head their lanes are in one queue. Workers, which are shifts running on the executor, take them from there
 * until it is empty: between two lanes there is no hop through the executor, and a lane that is not empty is run on
 * by the worker that has it.
 *
 * `scheduled` says that a worker is on its way: handed to the executor and not begun. At most one is, so the executor's own
 * queue never fills. It is set by whoever finds it unset
 *   - after adding a ticket, or many of them,
 *   - as a worker, after taking a ticket while there are more, since that ticket may block: in this way the workers become
 *     as many as there is work for or as the executor has threads,
 *   - as a worker, after it has decided to stop and is not counted as active any more, if there are tickets.
 * A worker that begins unsets it *before* it looks at the queue. So after each addition somebody who looks at the queue
 * later is on the way or at work.
 *
 * If the executor refuses a worker while another is active, that one sees to what is there. If none is, nobody ever may:
 * then one ticket is refused, and a worker offered once more for the rest. An active worker that has just found the queue empty
 * looks again when it is not counted any more, so that one of the two sees the ticket.
 *
 * Workers stop while the gate is closed, with the queue as it is; who opens the gate sends a worker again.
 */

/** The tickets that can start, and the workers that start them. Thread-safe without locks. */
final class ReadyQueue<K> {
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

    /** Threads that work here because the executor had them do so: one that runs tasks in the calling thread. */
    private final Set<Thread> here = ConcurrentHashMap.newKeySet();

    private volatile boolean scheduled;

    @SuppressWarnings("unused") // through ACTIVE
    private volatile int active;

    ReadyQueue(LaneMap<K> map, Executor executor) {
        this.map = map;
        this.executor = executor;
    }

    /** Has {@code ticket}, which somebody brings, started when its turn comes. */
    void add(Ticket<K> ticket) {
        tickets.add(ticket);
        if (sendWorker()) {
            workHere();
        }
    }

    /** As {@link #add}, but whoever brings this one brings others too and has to {@link #wake} somebody for all of them. */
    void addOneOfMany(Ticket<K> ticket) {
        tickets.add(ticket);
    }

    /** Has {@code ticket}, which the lanes themselves have come to, started when its turn comes. */
    void goOnWith(Ticket<K> ticket) {
        tickets.add(ticket);
        wake();
    }

    /** Has whatever is ready seen to; also called when the gate opens, and after {@link #addOneOfMany}. */
    void wake() {
        if (!tickets.isEmpty() && sendWorker()) {
            if (here.contains(Thread.currentThread())) {
                scheduled = false; // this thread sees to it when it is back where it works
            } else {
                workHere();
            }
        }
    }

    /** Whether no lane waits for a worker. */
    boolean isEmpty() {
        return tickets.isEmpty();
    }

    /** {@code true} if the executor runs tasks in the thread that brings them, and so the caller is the worker. */
    private boolean sendWorker() {
        while (!scheduled && SCHEDULED.compareAndSet(this, false, true)) {
            Shift shift = new Shift();
            try {
                executor.execute(shift);
                return shift.cameBack();
            } catch (Throwable refusal) { // RejectedExecutionException, or no memory for another thread
                shift.cameBack();
                scheduled = false;
                if (active != 0 || !refuseOne(refusal)) {
                    return false;
                }
            }
        }
        return false;
    }

    /** Fails one of the ready tickets, since nobody is there for it; whether there are more. */
    private boolean refuseOne(Throwable cause) {
        Ticket<K> refused = tickets.poll();
        if (refused == null) {
            return false;
        }
        Ticket<K> successor = map.passOn(refused.reject(cause));
        if (successor != null) {
            tickets.add(successor);
        }
        return !tickets.isEmpty();
    }

    private void workHere() {
        Thread thread = Thread.currentThread();
        boolean outermost = here.add(thread);
        try {
            work();
        } finally {
            if (outermost) {
                here.remove(thread);
            }
        }
    }

    /** A shift, and another one if the executor has nobody else for it. */
    private void work() {
        do {
            ACTIVE.getAndAdd(this, 1);
            scheduled = false;
            startTickets();
            ACTIVE.getAndAdd(this, -1);
        } while (!map.gate().closed() && !tickets.isEmpty() && sendWorker());
    }

    /** Takes tickets until there are none, the gate closes, or it is time to let others use the thread. */
    private void startTickets() {
        long now = map.nanoTime().getAsLong();
        long end = now + SHIFT_NANOS;
        while (!map.gate().closed()) {
            Ticket<K> ticket = tickets.poll();
            if (ticket == null) {
                return;
            }
            if (!tickets.isEmpty() && sendWorker()) {
                scheduled = false; // this thread is at work already
            }
            now = map.runLane(ticket, now, end);
            // an interrupt is meant for this thread's owner: leave the flag as it is and get out of the way
            if (now - end > 0 || Thread.currentThread().isInterrupted()) {
                return;
            }
        }
    }

    /**
     * One worker's time. If the executor would run it right inside the call that offers it, it only notes that: the one who
     * offered it is the worker then, or the stack would grow with what is ready.
     */
    private final class Shift implements Runnable {
        private final Thread offering = Thread.currentThread();

        /** Confined to the offering thread; others only compare themselves with that. */
        private boolean offered = true;

        private boolean cameBack;

        boolean cameBack() {
            offered = false;
            return cameBack;
        }

        @Override
        public void run() {
            if (Thread.currentThread() == offering && offered) {
                cameBack = true;
            } else {
                work();
            }
        }
    }
}
