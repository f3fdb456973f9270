package dev.lanekeeper.lanes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The lanes that are live, by key, and how their tickets get to run. The heart of {@link Lanes}. Thread-safe.
 *
 * <p>Nothing here runs foreign code but {@link #runLane}, which holds no lock.
 */
final class LaneMap<K> {
    /** A lane with endless work gives its thread back after so many tickets, or after so long, if others may wait. */
    private static final int TURN_TICKETS = 64;

    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final ConcurrentHashMap<K, Lane<K>> lanes = new ConcurrentHashMap<>();
    private final Set<Ticket<K>> laneless = ConcurrentHashMap.newKeySet();

    /** Makes the taking of places of each bulk one step for all others; see {@link Alignment}. */
    private final ReentrantLock bulks = new ReentrantLock();

    private final String name;
    private final LongSupplier nanoTime;
    private final boolean timed;
    private final ReadyQueue<K> ready;
    private final Gate<K> gate;
    private final Arrivals<K> arrivals = new Arrivals<>(this);
    private final CountDownLatch drained = new CountDownLatch(1);
    private volatile boolean closed;

    /** If {@code timed}, every turn knows when it began; if not, light ones do without. */
    LaneMap(String name, Executor executor, LongSupplier nanoTime, boolean timed) {
        this.name = name;
        this.nanoTime = nanoTime;
        this.timed = timed;
        this.gate = new Gate<>(this);
        this.ready = new ReadyQueue<>(this, executor);
    }

    /**
     * Puts {@code ticket} at the end of one lane; {@code true} if it heads it, for the caller to see to.
     *
     * @throws RejectedExecutionException if closed
     */
    boolean enqueue(K key, Ticket<K> ticket) {
        ticket.requireNew(); // before a lane is retained, which would stay so
        Lane<K> lane = admit(key);
        ticket.standsIn(lane);
        return lane.enqueue(ticket);
    }

    /**
     * Puts {@code ticket} at the end of several lanes in one step; {@code true} if it heads them all, for the caller to see
     * to.
     *
     * @param keys distinct, sorted
     * @throws RejectedExecutionException if closed
     */
    boolean enqueueAll(List<K> keys, Ticket<K> ticket) {
        ticket.requireNew();
        if (keys.isEmpty()) {
            admitLaneless(ticket);
        }
        List<Lane<K>> admitted = new ArrayList<>(keys.size());
        try {
            for (K key : keys) {
                admitted.add(admit(key));
            }
        } catch (RuntimeException | Error e) { // closed, or a key can't tell its hash
            admitted.forEach(Lane::unretain);
            throw e;
        }
        Alignment<K> alignment = new Alignment<>(this, ticket, admitted);
        ticket.standsIn(alignment);
        bulks.lock();
        try {
            alignment.takePlaces();
        } finally {
            bulks.unlock();
        }
        return alignment.arrived() != null;
    }

    private void admitLaneless(Ticket<K> ticket) {
        laneless.add(ticket);
        if (closed) { // as for a lane
            removeLaneless(ticket);
            refuseIfClosed();
        }
    }

    /** For tickets that come many at a time. */
    Arrivals<K> arrivals() {
        return arrivals;
    }

    private Lane<K> admit(K key) {
        Lane<K> lane = retain(key);
        if (closed) { // read after the lane is in the map: either this sees the close, or the close sees the lane
            lane.unretain();
            refuseIfClosed();
        }
        return lane;
    }

    private Lane<K> retain(K key) {
        Lane<K> lane = lanes.get(key);
        while (true) {
            if (lane == null) {
                Lane<K> born = new Lane<>(key, this);
                lane = lanes.putIfAbsent(key, born);
                if (lane == null) {
                    return born;
                }
            }
            if (lane.retain()) {
                return lane;
            }
            lanes.remove(key, lane); // help the one who retires it instead of waiting for it
            lane = lanes.get(key);
        }
    }

    void unmap(Lane<K> lane) {
        lanes.remove(lane.key, lane);
        if (closed) {
            noteIfDrained();
        }
    }

    /**
     * The map counts an entry only after it can be found, and sums its counters one by one: its count may be 0 while a lane
     * is there, so one has to look. The other way round is harmless, as who lowers the count comes here afterwards.
     */
    private void noteIfDrained() {
        if (lanes.isEmpty()
                && !lanes.values().iterator().hasNext()
                && !laneless.iterator().hasNext()) {
            drained.countDown();
        }
    }

    /** Sees to a place that heads its lane: has its ticket started, on the spot if it is light, else on the executor. */
    void advance(@Nullable Place<K> head) {
        Place<K> place = head;
        while (place != null) {
            Ticket<K> ticket = place.atHead();
            if (ticket == null) {
                return;
            }
            if (!ticket.light()) {
                ready.goOnWith(ticket);
                return;
            }
            place = ticket.turn(timeOfLightTurn());
        }
    }

    /** Has a ticket started that somebody brought and that heads its lane. */
    void start(Ticket<K> ticket) {
        ready.add(ticket);
    }

    /** As {@link #start}, once {@link #wake} is called. */
    void startWithOthers(Ticket<K> ticket) {
        ready.addOneOfMany(ticket);
    }

    /** Has a ticket started once more: on the executor, or on the spot if it is light. */
    void execute(Ticket<K> ticket) {
        if (ticket.light()) {
            advance(ticket.turn(timeOfLightTurn()));
        } else {
            ready.goOnWith(ticket);
        }
    }

    /** The next ticket that needs the executor, after the light ones before it have had their turn. */
    @Nullable
    Ticket<K> passOn(@Nullable Place<K> head) {
        Place<K> place = head;
        while (place != null) {
            Ticket<K> ticket = place.atHead();
            if (ticket == null || !ticket.light()) {
                return ticket;
            }
            place = ticket.turn(timeOfLightTurn());
        }
        return null;
    }

    /**
     * Runs a lane from its head on, until it is empty, held by a ticket that is not settled, or has had its turn and others are
     * ready; then what heads it goes to the end of what is ready. Successors come back here instead of being started by their
     * predecessor, so the stack never grows.
     *
     * @param begin the time now
     * @param end when the worker has to leave, whether others are ready or not
     * @return the time when it was done
     */
    long runLane(Ticket<K> head, long begin, long end) {
        int left = TURN_TICKETS;
        long turnEnd = begin + TURN_NANOS;
        Ticket<K> ticket = passOn(head.turn(begin));
        long now = nanoTime.getAsLong();
        while (ticket != null) {
            if (--left == 0 || now - turnEnd > 0) {
                if (now - end > 0 || !ready.isEmpty()) {
                    ready.goOnWith(ticket);
                    break;
                }
                left = TURN_TICKETS; // nobody waits for this thread, and to hand over to another one takes long
                turnEnd = now + TURN_NANOS;
            }
            if (gate.closed() || Thread.currentThread().isInterrupted()) {
                ready.goOnWith(ticket);
                break;
            }
            ticket = passOn(ticket.turn(now));
            now = nanoTime.getAsLong();
        }
        return now;
    }

    /** Runs {@code then} when all that is in line now has ended; what is put in line meanwhile does not delay it. */
    void afterAllSubmitted(Runnable then) {
        Fences<K> fences = new Fences<>(then);
        for (Lane<K> lane : lanes.values()) {
            if (lane.retain()) { // a dead lane has nothing to wait for
                Ticket<K> fence = fences.fence();
                fence.standsIn(lane);
                if (lane.enqueue(fence)) {
                    advance(fence);
                }
            }
        }
        fences.passed();
    }

    /** Runs {@code then} when all that is ready now has been started or has ended. */
    void afterAllReady(Runnable then) {
        Fences<K> fences = new Fences<>(then);
        Ticket<K> fence = fences.fence();
        fence.standsIn(new Alignment<>(this, fence, List.of()));
        ready.goOnWith(fence);
        fences.passed();
    }

    /** Has whatever is ready started; called when the gate opens, and when many tickets were brought. */
    void wake() {
        ready.wake();
    }

    /** To read the clock would take as long as all the rest of a hold that is granted on the spot. */
    long timeOfLightTurn() {
        return timed ? nanoTime.getAsLong() : Ticket.UNTIMED;
    }

    Gate<K> gate() {
        return gate;
    }

    LongSupplier nanoTime() {
        return nanoTime;
    }

    /** Every ticket that holds a lane, or several; these more than once. */
    List<Ticket<K>> holders() {
        List<Ticket<K>> holders = new ArrayList<>(laneless);
        for (Lane<K> lane : lanes.values()) {
            Ticket<K> holder = lane.holder();
            if (holder != null && holder.holding()) {
                holders.add(holder);
            }
        }
        return holders;
    }

    Collection<Lane<K>> live() {
        return lanes.values();
    }

    /** Tickets that stand in no lane: bulks of no keys. */
    Set<Ticket<K>> laneless() {
        return laneless;
    }

    void addLaneless(Ticket<K> ticket) {
        laneless.add(ticket);
    }

    void removeLaneless(Ticket<K> ticket) {
        laneless.remove(ticket);
        if (closed) {
            noteIfDrained();
        }
    }

    void refuseIfClosed() {
        if (closed) {
            throw new RejectedExecutionException("lanes \"" + name + "\" are closed");
        }
    }

    /** Refuses what comes from now on, and sees to what {@link #startWithOthers} was told of: nobody may come any more. */
    void close() {
        closed = true;
        noteIfDrained();
        ready.wake();
    }

    /** Waits until nothing is left; {@code false} if that takes longer than {@code timeout}. */
    boolean awaitDrained(Duration timeout) throws InterruptedException {
        return drained.await(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
    }

    /** Waits until nothing is left, however often the thread is interrupted meanwhile; its flag is kept. */
    void awaitDrained() {
        boolean interrupted = false;
        while (drained.getCount() > 0) {
            try {
                drained.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
