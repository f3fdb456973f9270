package dev.lanekeeper.engine;

import dev.lanekeeper.engine.handler.FailureStage;
import dev.lanekeeper.engine.handler.FinalResult;
import dev.lanekeeper.engine.intake.Assignment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * The walk of a record, from its lane to its completion
 * -----------------------------------------------------
 *   dispatch -> lane -> start -> attempt 1..n -> ended -> publish -> acknowledged -> complete
 *
 * One object is the record's place in its lane, its entry in the offset tracker and the state of its attempts. It is born
 * on the poll thread and from then on moved by one thread at a time: its lane sees to that while it waits and starts, the
 * once-only end of the attempt while a handler has it, the publisher's receipt after that. Fields without a comment are
 * handed along with it.
 *
 * The one meeting of two threads is that of a record's progress with the poll thread that wants to drop it because its
 * partition is revoked. `phase` decides: the poll thread may end a record only while it is IDLE (queued, waiting for a
 * retry or for a permit), and whoever starts it must first make it ACTIVE. So the poll thread knows for each record of a
 * revoked partition that it will never run, or that it will be reported when it has ended. A record that wants to wait for
 * a retry becomes IDLE first and looks at `revoked` second, the poll thread sets `revoked` first and looks at the phase
 * second: one of them sees the other. A record that starts looks at `revoked` too: the poll thread drops one after the
 * other, and a record whose predecessor in the lane is dropped already must not overtake it by starting before its turn.
 *
 * Dropping a record frees its lane, and its successor may start before the poll thread comes to drop that one too. So a
 * record looks at `revoked` once more when it is ACTIVE: nothing of a revoked partition runs ahead of what was dropped.
 *
 * The completion is offered to the poll thread before the phase becomes ENDED, and the lane is released last: when the
 * poll thread finds nothing running, all completions are in its mailbox, and when a successor starts, its predecessor's
 * end is on record.
 */

/** A delivered record on its way. See the comment above for who may touch what. */
final class RecordTicket<K, V> extends RoutedTicket {
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

    private final Walk<K, V> walk;
    private final Bytes laneKey;

    /** Why the record has no lane key; then it goes to the dead letters without a handler. */
    private final @Nullable Throwable unroutable;

    @SuppressWarnings("unused") // through PHASE
    private volatile int phase;

    private int attempts;

    /** When the first attempt began, in nanoseconds since 1970; see {@link #startedAt}. */
    private long startedAtNanos;

    private @Nullable K key;
    private @Nullable V value;

    /** Written by the thread that hands over the permit, before it re-arms the ticket. */
    private boolean hasPermit;

    RecordTicket(
            Walk<K, V> walk,
            ConsumerRecord<byte[], byte[]> record,
            Assignment assignment,
            long sequence,
            Bytes laneKey,
            @Nullable Throwable unroutable) {
        super(record, assignment, sequence);
        this.walk = walk;
        this.laneKey = laneKey;
        this.unroutable = unroutable;
    }

    // -- on the poll thread

    @Override
    public void dispatch() {
        walk.lanes().enqueue(laneKey, this);
    }

    @Override
    public boolean drop() {
        if (PHASE.compareAndSet(this, IDLE, ENDED)) {
            settle(); // frees the lane at once if it waits for a retry or a permit; a queued one is settled in its turn
            return true;
        }
        return phase == ENDED;
    }

    // -- in the lane

    @Override
    protected void start() {
        if (phase == ENDED || assignment().revoked()) { // dropped while it was queued, or about to be
            phase = ENDED;
            givePermitBack(); // which it has if it was granted one just before
            settle();
            return;
        }
        if (walk.permits() != null && !hasPermit && !takePermit(walk.permits())) {
            return; // in line for a permit; permitGranted goes on
        }
        if (!PHASE.compareAndSet(this, IDLE, ACTIVE)) { // dropped just now
            givePermitBack();
            settle();
            return;
        }
        if (attempts == 0) {
            startedAtNanos = SteadyClock.epochNanos(walk.clock());
            if (!decode()) {
                return;
            }
        }
        Attempt<K, V> attempt = new Attempt<>(this, ++attempts);
        try {
            walk.call().run(this, attempt);
        } catch (Throwable t) { // whatever a handler throws is a failed attempt, or its lane would be stuck
            ended(attempt, t);
        }
    }

    private boolean takePermit(Permits permits) {
        hasPermit = true; // before it can be granted on another thread
        boolean taken = permits.acquire(this);
        if (!taken) {
            standBy();
        }
        return taken;
    }

    /** Called by whoever gave a permit back; {@code false} if this record has no use for it any more. */
    boolean permitGranted() {
        return phase == IDLE && rearm();
    }

    private void givePermitBack() {
        if (hasPermit) {
            hasPermit = false;
            if (walk.permits() != null) {
                walk.permits().release();
            }
        }
    }

    private boolean decode() {
        Throwable cause = unroutable;
        if (cause == null) {
            try {
                if (record().key() != null) {
                    key = walk.keys().deserialize(record().topic(), record().headers(), record().key());
                }
                if (record().value() != null) {
                    value = walk.values().deserialize(record().topic(), record().headers(), record().value());
                }
                return true;
            } catch (Throwable t) { // a deserializer is foreign code
                cause = t;
            }
        }
        givePermitBack();
        new WayOut<>(walk, this).giveUp(new FinalResult.Failure(FailureStage.DECODE, cause));
        return false;
    }

    // -- when an attempt has ended, on whatever thread

    void ended(Attempt<K, V> attempt, @Nullable Throwable thrown) {
        if (!attempt.end()) {
            walk.counters().late().increment();
            log.debug("{} ended a second time; ignored", attempt);
            return;
        }
        givePermitBack();
        List<ProducerRecord<byte[], byte[]>> outputs = attempt.outputs();
        if (thrown == null && walk.results() == null && outputs.isEmpty()) {
            end(!assignment().fenced());
        } else if (walk.permits() != null) { // then this may be anybody's thread, and what follows may block
            walk.workers().execute(() -> conclude(outputs, thrown));
        } else {
            conclude(outputs, thrown);
        }
    }

    private void conclude(List<ProducerRecord<byte[], byte[]>> outputs, @Nullable Throwable thrown) {
        if (thrown == null) {
            new WayOut<>(walk, this).succeed(outputs);
            return;
        }
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        walk.counters().failed().increment();
        walk.counters().complaints().failed(this, attempts, cause);
        Duration delay = cause instanceof OutOfMemoryError ? null : delayAfter(cause);
        if (delay != null) {
            retry(delay);
        } else {
            new WayOut<>(walk, this).giveUp(new FinalResult.Failure(FailureStage.HANDLER, cause));
        }
    }

    /** How long to wait for the next attempt; {@code null} if there is to be none. */
    private @Nullable Duration delayAfter(Throwable cause) {
        try {
            return walk.retry().allows(attempts, cause) ? walk.retry().delay(attempts, cause, walk.random()) : null;
        } catch (Throwable t) { // the exception and the randomness are foreign code
            log.warn("nobody can say how long to wait after the failure of {}, so it is not tried again", this, t);
            return null;
        }
    }

    private void retry(Duration delay) {
        standBy();
        phase = IDLE;
        if (assignment().revoked()) {
            dropUnlessDropped();
            return;
        }
        if (!walk.timer().schedule(delay, this::rearm)) { // the engine is closed
            dropUnlessDropped();
        }
    }

    private void dropUnlessDropped() {
        if (PHASE.compareAndSet(this, IDLE, ACTIVE)) {
            end(false);
        }
    }

    /** The record has come to its end: a durable one, or it was given up because its partition was taken away. */
    void end(boolean durable) {
        durable(durable);
        if (!durable) {
            phase = ENDED; // its entry stays in the tracker, and the poll thread must not wait for it
        }
        walk.completions().offer(this);
        phase = ENDED;
        settle();
    }

    @Override
    protected void rejected(Throwable cause) {
        // the workers are shut down: the engine is closing, and what did not start is not committed
        phase = ENDED;
    }

    // -- what it is

    @Nullable
    K key() {
        return key;
    }

    int attempts() {
        return attempts;
    }

    @Nullable
    V value() {
        return value;
    }

    Instant startedAt() {
        return Instant.EPOCH.plusNanos(startedAtNanos);
    }
}
