package dev.lanekeeper.engine;

import dev.lanekeeper.engine.handler.Delivery;
import dev.lanekeeper.engine.handler.FencingToken;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a record: what the handler receives, and the word that lets it end once. A completion of an earlier
 * attempt that comes late finds its own word taken and can't touch a later attempt.
 */
final class Attempt<K, V> implements Delivery<K, V> {
    private static final VarHandle ENDED;

    static {
        try {
            ENDED = MethodHandles.lookup().findVarHandle(Attempt.class, "ended", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final RecordTicket<K, V> ticket;
    private final int number;

    @SuppressWarnings("unused") // through ENDED
    private volatile boolean ended;

    /** Guarded by this; {@code null} until the first output. */
    private @Nullable List<ProducerRecord<byte[], byte[]>> outputs;

    /** {@code null} where time is not limited; set before the handler is called. */
    private @Nullable WatchedAttempt watched;

    /** What surrounds the call; {@code null} if nothing does. Handed along with the attempt. */
    private Surroundings.@Nullable Scopes scopes;

    Attempt(RecordTicket<K, V> ticket, int number) {
        this.ticket = ticket;
        this.number = number;
    }

    /** The handler is called next, on this thread. Its time does not count what its surroundings take. */
    void enter(Surroundings surroundings, @Nullable HandlerWatch watch) {
        scopes = surroundings.enter(this);
        watched = watch == null ? null : watch.begin(this);
    }

    /** The same as part of a batch, which the watch knows by {@code first}. */
    void enterWith(Attempt<K, V> first) {
        watched = first.watched;
    }

    /** Tells those who watch that it has ended; for the one who ended it. */
    void tell(@Nullable Throwable failure) {
        if (scopes != null) {
            scopes.ended(failure);
        }
    }

    /** {@code true} for the first caller only. */
    boolean end() {
        boolean first = ENDED.compareAndSet(this, false, true);
        if (first && watched != null) {
            watched.attemptEnded();
        }
        return first;
    }

    /** The handler has returned or thrown; on its thread. */
    void handlerReturned() {
        if (watched != null) {
            watched.offThread(); // or an interrupt would hit those who leave
        }
        leave();
        if (watched != null) {
            watched.handlerReturned(); // from now on it may be fenced, and those who have left be told so
        }
    }

    /** The part of that which has nothing to do with the watch. */
    void leave() {
        if (scopes != null) {
            scopes.leave();
        }
    }

    /** The end of the stage will be heard of; on the handler's thread. */
    void stageObserved() {
        if (watched != null) {
            watched.stageObserved();
        }
    }

    /** Ends the attempt as failed, unless it has ended. */
    void fail(Throwable cause) {
        ticket.ended(this, cause);
    }

    /** Whether it took longer than it may. */
    boolean overdue() {
        return watched != null && watched.overdue();
    }

    /** What was emitted; for the one who ended the attempt. */
    synchronized List<ProducerRecord<byte[], byte[]>> outputs() {
        return outputs == null ? List.of() : outputs;
    }

    /** Whether anything is to be sent because of its success; for the same. */
    boolean sendsSomething() {
        return ticket.walk.results() != null
                || !outputs().isEmpty()
                || !ticket.closing().isEmpty();
    }

    @Override
    public synchronized void emit(ProducerRecord<byte[], byte[]> output) {
        Objects.requireNonNull(output, "output");
        if (ended) {
            throw new IllegalStateException(
                    "attempt " + number + " of " + ticket + " has ended and can't emit any more");
        }
        if (outputs == null) {
            outputs = new ArrayList<>();
        }
        outputs.add(output);
    }

    @Override
    public boolean cancelled() {
        return overdue() || ticket.assignment().fenced();
    }

    @Override
    public void onCancel(Runnable action) {
        Objects.requireNonNull(action, "action");
        if (watched != null && !ended) {
            watched.onCancel(action);
        }
    }

    @Override
    public ConsumerRecord<byte[], byte[]> record() {
        return ticket.record();
    }

    @Override
    public @Nullable K key() {
        return ticket.key();
    }

    @Override
    public @Nullable V value() {
        return ticket.value();
    }

    @Override
    public int attempt() {
        return number;
    }

    @Override
    public int epoch() {
        return ticket.assignment().epoch();
    }

    @Override
    public FencingToken token() {
        return new FencingToken(ticket.incarnation(), record().topic(), record().partition(), record().offset());
    }

    @Override
    public Instant startedAt() {
        return ticket.startedAt();
    }

    @Override
    public String toString() {
        return "attempt " + number + " of " + ticket;
    }
}
