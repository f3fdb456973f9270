package dev.lanekeeper.engine;

import dev.lanekeeper.engine.handler.FailureStage;
import dev.lanekeeper.engine.handler.FinalResult;
import dev.lanekeeper.engine.result.Publisher;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last part of a record's walk, if something is to be sent: its outputs or its dead letter, its result, and the wait for
 * their acknowledgement. Ends its ticket when all is at the broker. Handed along with the record: one thread at a time.
 */
final class WayOut<K, V> implements Publisher.Receipt {
    private static final Logger log = LoggerFactory.getLogger(WayOut.class);

    private final Walk<K, V> walk;
    private final RecordTicket<K, V> ticket;

    /** Why the record failed for good. */
    private FinalResult.@Nullable Failure failure;

    /** The dead letter on its way. */
    private @Nullable ProducerRecord<byte[], byte[]> letter;

    /** Whether the dead letter has been shortened. */
    private boolean truncated;

    /** With transactions only: what goes into the one that commits the record. */
    private volatile List<ProducerRecord<byte[], byte[]>> prepared = List.of();

    /** With transactions only: to be completed when {@link #prepared} has been replaced. */
    private volatile @Nullable CompletableFuture<Void> replaced;

    WayOut(Walk<K, V> walk, RecordTicket<K, V> ticket) {
        this.walk = walk;
        this.ticket = ticket;
    }

    /** The record was handled, and this is what the handler emitted. */
    void succeed(List<ProducerRecord<byte[], byte[]>> emitted) {
        List<ProducerRecord<byte[], byte[]>> outputs = emitted;
        if (walk.results() != null) {
            try {
                outputs = withResults(outputs);
            } catch (Throwable t) { // the writer is foreign code
                giveUp(new FinalResult.Failure(FailureStage.PUBLISH, t));
                return;
            }
        }
        publish(outputs);
    }

    /** The record failed for good. */
    void giveUp(FinalResult.Failure failure) {
        if (failure.cause() instanceof OutOfMemoryError) { // nothing is certain after it
            walk.fatal().accept(failure.cause());
            return;
        }
        this.failure = failure;
        log.debug(
                "{} goes to the dead letters, stage {}", ticket, failure.stage().label(), failure.cause());
        ProducerRecord<byte[], byte[]> dead = letter(failure);
        letter = dead;
        List<ProducerRecord<byte[], byte[]>> outputs = List.of(dead);
        if (walk.results() != null) {
            try {
                outputs = withResults(outputs);
            } catch (Throwable t) { // the writer is foreign code
                log.warn("the result of {} could not be written; its dead letter is sent alone", ticket, t);
            }
        }
        publish(outputs);
    }

    private List<ProducerRecord<byte[], byte[]>> withResults(List<ProducerRecord<byte[], byte[]>> outputs) {
        FinalResult<V> result = new FinalResult<>(
                ticket.record(),
                ticket.value(),
                failure,
                ticket.attempts(),
                ticket.assignment().epoch(),
                ticket.startedAt(),
                walk.clock().instant());
        List<ProducerRecord<byte[], byte[]>> all = new ArrayList<>(outputs);
        if (walk.results() != null) {
            all.addAll(List.copyOf(walk.results().write(result))); // refuses null, inside too
        }
        return all;
    }

    private ProducerRecord<byte[], byte[]> letter(FinalResult.Failure failure) {
        return walk.deadLetters().letter(ticket.record(), failure.stage().label(), failure.cause(), ticket.attempts());
    }

    private void publish(List<ProducerRecord<byte[], byte[]>> outputs) {
        if (ticket.assignment().fenced()) {
            ticket.end(false);
        } else if (outputs.isEmpty()) {
            ticket.end(true);
        } else if (walk.publisher() != null) {
            walk.publisher().publish(outputs, this);
        } else if (replaced != null) {
            prepared = outputs;
            replaced.complete(null);
        } else {
            prepared = outputs;
            ticket.leaveBy(this);
            acknowledged(); // as good as that: the record counts as done only together with these
        }
    }

    /** What is to be sent in the transaction that commits this record. Written before the completion that publishes it. */
    List<ProducerRecord<byte[], byte[]>> outputs() {
        return prepared;
    }

    /** Makes other outputs, on a worker: the dead letter instead of what was refused, a shorter one instead of a long one. */
    CompletableFuture<Void> replaceOutputs(Throwable cause, ProducerRecord<byte[], byte[]> refused) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        replaced = done;
        List<ProducerRecord<byte[], byte[]>> others = new ArrayList<>(prepared);
        others.remove(refused);
        walk.workers().execute(() -> {
            try {
                refused(cause, List.of(refused), others);
            } catch (RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    @Override
    public void acknowledged() {
        if (failure != null) {
            walk.counters().dead().increment();
        }
        ticket.end(true);
    }

    @Override
    public void refused(
            Throwable cause, List<ProducerRecord<byte[], byte[]>> refused, List<ProducerRecord<byte[], byte[]>> open) {
        ProducerRecord<byte[], byte[]> dead = letter;
        if (dead == null) {
            walk.workers().execute(() -> giveUp(new FinalResult.Failure(FailureStage.PUBLISH, cause)));
        } else if (!refused.contains(dead)) { // a result; the dead letter is there, or among the open ones
            log.warn("the broker refuses the result of {}, which goes without", ticket, cause);
            goOn(open);
        } else if (!truncated) {
            truncated = true;
            ProducerRecord<byte[], byte[]> shortened = walk.deadLetters().truncated(dead);
            letter = shortened;
            List<ProducerRecord<byte[], byte[]>> rest = new ArrayList<>(open);
            rest.add(0, shortened);
            goOn(rest);
        } else { // stall and say so: nothing is skipped
            log.error(
                    "the broker refuses even the shortened dead letter of {}, which holds back its partition",
                    ticket,
                    cause);
        }
    }

    private void goOn(List<ProducerRecord<byte[], byte[]>> rest) {
        if (rest.isEmpty()) {
            acknowledged();
        } else {
            walk.workers().execute(() -> publish(rest));
        }
    }

    @Override
    public boolean wanted() {
        if (ticket.assignment().revoked()) {
            ticket.end(false);
            return false;
        }
        return true;
    }
}
