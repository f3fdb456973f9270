package dev.lanekeeper.engine;

import dev.lanekeeper.engine.handler.FailureStage;
import dev.lanekeeper.engine.handler.FinalResult;
import dev.lanekeeper.engine.intake.Assignment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * The walk of a record, from its lane to its completion
 * -----------------------------------------------------
 *   dispatch -> lane -> start -> attempt 1..n -> ended -> publish -> acknowledged -> complete
 *
 * One object is the record's place in its lane, its entry in the offset tracker and the state of its attempts. It is born on
 * the poll thread and from then on moved by one thread at a time: its lane sees to that while it waits and starts, the
 * once-only end of the attempt while a handler has it, the publisher's receipt after that. Fields without a comment go with it.
 *
 * The one meeting of two threads is that of a record's progress with the poll thread that wants to drop it because its
 * partition is revoked. `phase` decides: the poll thread may end a record only while it is IDLE (queued, waiting for a retry,
 * for a permit, a rate limit or a door to open), and whoever starts it must first make it ACTIVE. So the poll thread knows for
 * each record of a revoked partition that it will never run, or that it will be reported when it has ended. A record that wants
 * to wait for a retry becomes IDLE first and looks at `revoked` second, the poll thread sets `revoked` first and looks at the
 * phase second: one of them sees the other.
 *
 * Dropping a record frees its lane, and its successor may start before the poll thread comes to drop that one too. So each
 * start looks at `revoked` first, which is set before anything is dropped: nothing runs ahead of what was dropped.
 *
 * The completion is offered to the poll thread before the phase becomes ENDED, and the lane is released last: when the poll
 * thread finds nothing running, all completions are in its mailbox, and when a successor starts, its predecessor has ended.
 *
 * With a batch handler, whoever starts a record makes those behind it in the lane ACTIVE too, and what is said here holds for
 * each of them: see BatchAttempt.
 *
 * What follows a final failure is the Judge's word: WayOut sends a dead letter or parks the record; Stops makes it wait, with
 * everything of its partition. What waits for a partition, or for the parking topic to be read, is IDLE meanwhile.
 */

/** A delivered record on its way. See the comment above for who may touch what. */
class RecordTicket<K, V> extends DeliveredTicket<K, V> {
    private static final Logger log = LoggerFactory.getLogger(RecordTicket.class);

    private static final int IDLE = 0;
    private static final int ACTIVE = 1;
    private static final int ENDED = 2;
    private static final VarHandle PHASE;

    static {
        try {
            PHASE = MethodHandles.lookup().findVarHandle(RecordTicket.class, "phase", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Why the record has no lane key; then it goes to the dead letters without a handler. */
    private final @Nullable Throwable unroutable;

    @SuppressWarnings("unused") // through PHASE
    private volatile int phase;

    /** Written by the thread that hands over the permit, before it re-arms the ticket. */
    private boolean hasPermit;

    /** Whether the rate limits have let the next attempt begin; as above. */
    private boolean paced;

    /** Why it waits for its partition to be resumed. */
    private FinalResult.@Nullable Failure stoppedBy;

    /** Whether it is given up then, instead of being tried anew; written before its door opens. */
    private boolean givenUp;

    RecordTicket(
            Walk<K, V> walk,
            ConsumerRecord<byte[], byte[]> record,
            Assignment assignment,
            long sequence,
            Bytes laneKey,
            @Nullable Throwable unroutable) {
        super(walk, record, assignment, sequence, laneKey);
        this.unroutable = unroutable;
    }

    // -- on the poll thread

    @Override
    public void dispatch() {
        if (walk.heldUp().contains(laneKey())) {
            setAside();
        }
        walk.lanes().arrivals().enqueue(laneKey(), this); // RecordRouter starts them
    }

    @Override
    public boolean drop() {
        if (PHASE.compareAndSet(this, IDLE, ENDED)) {
            dropped();
            settle(); // frees the lane at once if it waits for something; a queued one is settled in its turn
            return true;
        }
        return phase == ENDED;
    }

    @Override
    public boolean atWork() {
        return phase == ACTIVE && !leaving();
    }

    // -- in the lane

    @Override
    protected void start() {
        if (phase == ENDED || assignment().revoked()) { // dropped while it was queued, or about to be
            boolean droppedHere = PHASE.compareAndSet(this, IDLE, ENDED);
            givePermitBack(); // which it has if it was granted one just before
            if (droppedHere) {
                dropped();
            }
            settle();
            return;
        }
        heads();
        if (mustWait()) {
            waitsFor(LaneHead.Doing.STOPPED);
            givePermitBack(); // those who are let in may need it
            return;
        }
        boolean handled = !givenUp && !isParked();
        if (handled && !mayBegin()) {
            return; // it waits for its time, or in line; goOn goes on
        }
        if (!claim()) { // dropped just now
            givePermitBack();
            settle();
            return;
        }
        try {
            if (handled) {
                attempt();
            } else {
                givePermitBack();
                leaveUnhandled();
            }
        } catch (Throwable t) { // a clock that throws, say
            stuck(t);
        }
    }

    private void attempt() {
        if (stoppedBy != null) { // it starts afresh
            stoppedBy = null;
            forgetAttempts();
        }
        if (!isDecoded() && !decoded()) {
            return;
        }
        paced = false;
        begin();
    }

    /** Calls the handler. */
    void begin() {
        Attempt<K, V> attempt = new Attempt<>(this, nextAttempt());
        runs(attempt);
        attempt.enter(walk.surroundings(), walk.watch());
        try {
            walk.call().run(this, attempt);
        } catch (Throwable t) { // whatever a handler throws is a failed attempt, or its lane would be stuck
            ended(attempt, t);
        }
    }

    private void leaveUnhandled() {
        does(LaneHead.Doing.PUBLISHING);
        if (stoppedBy != null) {
            new WayOut<>(walk, this).giveUp(stoppedBy);
        } else if (walk.parking() != null && walk.parking().has(this)) {
            end(true);
        } else {
            new WayOut<>(walk, this).park(null);
        }
    }

    /** Whether its turn has not come although it heads its lane; then a door that opens has it started again. */
    boolean mustWait() {
        return walk.stops().hold(this)
                || (walk.parking() != null && walk.parking().hold(this));
    }

    /** Whether its customer is parked, and it with them. */
    boolean isParked() {
        return walk.parking() != null && unroutable == null && walk.parking().takes(this);
    }

    /** Whether the limits of rate and concurrency let an attempt begin now; if not, it is started again when they do. */
    private boolean mayBegin() {
        if (!paced && unroutable == null && !walk.pace().admits(this)) {
            return false;
        }
        return walk.permits() == null || hasPermit || takePermit(walk.permits());
    }

    private boolean takePermit(Permits permits) {
        hasPermit = true; // before it can be granted on another thread
        boolean taken = permits.acquire(this);
        if (!taken) {
            waitsFor(LaneHead.Doing.WAITING);
        }
        return taken;
    }

    /** Its next attempt may begin as far as the rate limits go. */
    final void paced() {
        paced = true;
    }

    /** From now on the poll thread waits for it; {@code false} if it was dropped. */
    final boolean claim() {
        return PHASE.compareAndSet(this, IDLE, ACTIVE);
    }

    /** Called by whom it waited for; {@code false} if it has no use for its turn, its permit or its token any more. */
    final boolean goOn() {
        return phase == IDLE && rearm();
    }

    final void givePermitBack() {
        if (hasPermit) {
            hasPermit = false;
            if (walk.permits() != null) {
                walk.permits().release();
            }
        }
    }

    private boolean decoded() {
        Throwable cause = unroutable == null ? decode() : unroutable;
        if (cause == null) {
            return true;
        }
        givePermitBack();
        failed(cause);
        Duration delay = unroutable == null ? delayAfter(FailureStage.DECODE, cause) : null;
        if (delay != null) {
            retry(delay);
        } else {
            failedForGood(new FinalResult.Failure(FailureStage.DECODE, cause));
        }
        return false;
    }

    // -- when an attempt has ended, on whatever thread

    final void ended(Attempt<K, V> attempt, @Nullable Throwable thrown) {
        if (!attempt.end()) {
            walk.counters().late().increment();
            log.trace("{} ended a second time; ignored", attempt);
            return;
        }
        attempt.tell(thrown);
        givePermitBack();
        boolean mayBlock = thrown != null || attempt.sendsSomething();
        if (mayBlock && walk.permits() != null) { // then this may be anybody's thread
            walk.workers().execute(() -> conclude(attempt, thrown));
        } else {
            conclude(attempt, thrown);
        }
    }

    final void conclude(Attempt<K, V> attempt, @Nullable Throwable thrown) {
        try {
            if (thrown != null) {
                failed(attempt, Judge.unwrapped(thrown));
            } else if (attempt.sendsSomething()) {
                does(LaneHead.Doing.PUBLISHING);
                new WayOut<>(walk, this).succeed(attempt.outputs());
            } else {
                end(!assignment().fenced());
            }
        } catch (Throwable t) {
            stuck(t);
        }
    }

    private void failed(Attempt<K, V> attempt, Throwable cause) {
        failed(cause);
        walk.counters().failed().increment();
        walk.counters().complaints().failed(this, attempts(), cause);
        FinalResult.Failure failure =
                new FinalResult.Failure(attempt.overdue() ? FailureStage.TIMEOUT : FailureStage.HANDLER, cause);
        Duration delay = delayAfter(failure.stage(), cause);
        if (delay != null) {
            retry(delay);
        } else {
            failedForGood(failure);
        }
    }

    /** No attempt follows; the judge says what does. */
    void failedForGood(FinalResult.Failure failure) {
        if (failure.cause() instanceof OutOfMemoryError) { // nothing is certain after it
            stuck(failure.cause());
            return;
        }
        does(LaneHead.Doing.PUBLISHING);
        switch (afterLast(failure)) {
            case STOP_PARTITION -> stop(failure);
            case PARK_KEY -> park(failure);
            case SKIP_TO_DEAD_LETTERS -> new WayOut<>(walk, this).giveUp(failure);
        }
    }

    void park(FinalResult.Failure failure) {
        new WayOut<>(walk, this).park(failure);
    }

    void stop(FinalResult.Failure failure) {
        stoppedBy = failure;
        if (standIdle(LaneHead.Doing.STOPPED)) {
            walk.stops().stop(this, failure, walk.clock().instant());
        }
    }

    /** Ends a wait for the partition's resumption, with a dead letter. Before the door opens. */
    final void giveUp(FinalResult.Failure failure) {
        stoppedBy = failure;
        givenUp = true;
    }

    final void retry(Duration delay) {
        holdUp(walk.heldUp());
        if (standIdle(betweenTries()) && !walk.timer().schedule(delay, this::rearm)) { // the engine is closed
            dropUnlessDropped();
        }
    }

    /** Whether the record may wait; if not, it is dropped. */
    private boolean standIdle(LaneHead.Doing what) {
        waitsFor(what);
        return idle();
    }

    /** The poll thread need not wait for it any more; {@code false} if it is dropped. */
    final boolean idle() {
        phase = IDLE;
        if (assignment().revoked()) {
            dropUnlessDropped();
            return false;
        }
        return true;
    }

    final void dropUnlessDropped() {
        if (claim()) {
            end(false);
        }
    }

    /** The record has come to its end: a durable one, or it was given up because its partition was taken away. */
    final void end(boolean durable) {
        leave(walk.heldUp());
        durable(durable);
        if (!durable) {
            phase = ENDED; // its entry stays in the tracker, and the poll thread must not wait for it
        }
        report();
        phase = ENDED;
        goFromLane();
    }

    /** It has ended, and its lane goes on. */
    void goFromLane() {
        settle();
    }

    /** Tells whoever waits for the record's end. Before its lane is released. */
    void report() {
        walk.completions().offer(this);
    }

    @Override
    protected void rejected(Throwable cause) {
        // the workers are shut down: the engine is closing, and what did not start is not committed
        phase = ENDED;
        dropped();
    }

    /** It ends without having run, or without having run again. */
    void dropped() {
        leave(walk.heldUp());
    }
}
