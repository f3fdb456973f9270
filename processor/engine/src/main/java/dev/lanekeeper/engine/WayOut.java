package dev.lanekeeper.engine;

import dev.lanekeeper.engine.handler.FailureStage;
import dev.lanekeeper.engine.handler.FinalResult;
import dev.lanekeeper.engine.result.Publisher;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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

    /** The record on its way to the parking topic, and why it goes there. */
    private @Nullable ProducerRecord<byte[], byte[]> parked;

    private String parkedBecause = "";

    /** Whether the result is written when the outputs are acknowledged. */
    private boolean resultsDue;

    /** Whether {@link RecordTicket#closing} is on its way. */
    private boolean closed;

    /** Whether the dead letter has been shortened. */
    private boolean truncated;

    /** With transactions only: what goes into the one that commits the record. */
    private volatile List<ProducerRecord<byte[], byte[]>> prepared = List.of();

    /** Whether it has been said that the shortened one is refused too. */
    private boolean stalled;

    WayOut(Walk<K, V> walk, RecordTicket<K, V> ticket) {
        this.walk = walk;
        this.ticket = ticket;
    }

    /** The record was handled, and this is what the handler emitted. */
    void succeed(List<ProducerRecord<byte[], byte[]>> emitted) {
        if (walk.publisher() != null && walk.results() != null && !emitted.isEmpty()) {
            resultsDue = true; // nobody may read that it is done before what was done is there
            publish(emitted);
        } else {
            sendLast(emitted);
        }
    }

    private void sendLast(List<ProducerRecord<byte[], byte[]>> emitted) {
        List<ProducerRecord<byte[], byte[]>> outputs = new ArrayList<>(emitted);
        try {
            addResults(outputs);
        } catch (Throwable t) { // the writer is foreign code
            ticket.failedForGood(new FinalResult.Failure(FailureStage.PUBLISH, t));
            return;
        }
        publish(outputs);
    }

    /** The record failed for good and is set aside as a dead letter. */
    void giveUp(FinalResult.Failure failure) {
        if (failure.cause() instanceof OutOfMemoryError) { // nothing is certain after it
            ticket.stuck(failure.cause());
            return;
        }
        publish(givenUp(failure));
    }

    /** The dead letter, and the result if it can be written. */
    private List<ProducerRecord<byte[], byte[]>> givenUp(FinalResult.Failure failure) {
        this.failure = failure;
        log.trace(
                "{} goes to the dead letters, stage {}", ticket, failure.stage().label(), failure.cause());
        ProducerRecord<byte[], byte[]> dead = letter(failure);
        letter = dead;
        List<ProducerRecord<byte[], byte[]>> outputs = new ArrayList<>(List.of(dead));
        try {
            addResults(outputs);
        } catch (Throwable t) { // the writer is foreign code
            log.warn(
                    "the result of {} can't be written; its dead letter is sent alone: {}", ticket, Complaints.text(t));
        }
        return outputs;
    }

    /** The customer is parked, and this record with them: the first if there is a {@code failure}, else behind others. */
    void park(FinalResult.@Nullable Failure failure) {
        Parking<K, V> parking = walk.parking();
        if (parking == null) {
            throw new IllegalStateException("no records are parked by this engine: " + ticket);
        }
        parkedBecause = failure == null ? "" : Complaints.text(failure.cause());
        parked = parking.parked(ticket, parkedBecause);
        if (parked == null) { // the partition has gone, and with it the record
            ticket.end(false);
        } else {
            publish(List.of(parked));
        }
    }

    private void addResults(List<ProducerRecord<byte[], byte[]>> outputs) {
        if (walk.results() == null) {
            return;
        }
        FinalResult<V> result = new FinalResult<>(
                ticket.record(),
                ticket.value(),
                failure,
                ticket.attempts(),
                ticket.assignment().epoch(),
                ticket.startedAt(),
                walk.clock().instant());
        outputs.addAll(List.copyOf(walk.results().write(result))); // refuses null, inside too
    }

    private ProducerRecord<byte[], byte[]> letter(FinalResult.Failure failure) {
        return walk.deadLetters().letter(ticket.record(), failure.stage().label(), failure.cause(), ticket.attempts());
    }

    private void publish(List<ProducerRecord<byte[], byte[]>> outputs) {
        Publisher publisher = walk.publisher();
        if (ticket.assignment().fenced()) {
            ticket.end(false);
        } else if (outputs.isEmpty()) {
            acknowledged();
        } else if (publisher != null) {
            publisher.publish(outputs, this);
        } else {
            prepared = List.copyOf(outputs);
            ticket.leaveBy(this);
            acknowledged(); // as good as that: the record counts as done only together with these
        }
    }

    /** What is to be sent in the transaction that commits this record. Written before the completion that publishes it. */
    List<ProducerRecord<byte[], byte[]>> outputs() {
        return prepared;
    }

    /**
     * Makes other outputs, on a worker: the dead letter instead of what was refused, a shorter one instead of a long one. The
     * record has come to its end and its lane has gone on, so it can be neither tried again nor hold up its partition.
     */
    CompletableFuture<Void> replaceOutputs(Throwable cause, ProducerRecord<byte[], byte[]> refused) {
        return CompletableFuture.runAsync(() -> prepared = List.copyOf(instead(cause, refused)), walk.workers());
    }

    private List<ProducerRecord<byte[], byte[]>> instead(Throwable cause, ProducerRecord<byte[], byte[]> refused) {
        List<ProducerRecord<byte[], byte[]>> others = new ArrayList<>(prepared);
        others.remove(refused);
        ProducerRecord<byte[], byte[]> dead = letter;
        if (dead == null) {
            walk.counters().dead().increment();
            return givenUp(new FinalResult.Failure(FailureStage.PUBLISH, cause));
        }
        if (!refused.equals(dead)) {
            sayResultRefused(cause);
        } else if (!truncated) {
            others.add(0, shortened(dead));
        } else {
            sayStalled(cause);
            return prepared;
        }
        return others;
    }

    private ProducerRecord<byte[], byte[]> shortened(ProducerRecord<byte[], byte[]> dead) {
        truncated = true;
        ProducerRecord<byte[], byte[]> shortened = walk.deadLetters().truncated(dead);
        letter = shortened;
        return shortened;
    }

    private void sayResultRefused(Throwable cause) {
        log.warn("the broker refuses the result of {}, which goes without", ticket, cause);
    }

    /** Nothing is skipped, so whatever waits for this waits until it is taken; said once. */
    private void sayStalled(Throwable cause) {
        if (!stalled) {
            stalled = true;
            log.error(
                    "the broker refuses even the shortened dead letter of {}, which holds back its partition until"
                            + " the topic takes it",
                    ticket,
                    cause);
        }
    }

    @Override
    public void acknowledged() {
        if (resultsDue) {
            resultsDue = false;
            onWorker(() -> sendLast(List.of())); // this is the producer's thread
            return;
        }
        if (!closed && !ticket.closing().isEmpty()) {
            closed = true; // with all that it caused at the broker, it may be taken out of where it was kept
            onWorker(() -> publish(ticket.closing()));
            return;
        }
        if (parked != null) {
            walk.counters().parked().increment();
            Objects.requireNonNull(walk.parking(), "parking").entered(ticket, parked, parkedBecause);
        } else if (failure != null) {
            walk.counters().dead().increment();
        }
        ticket.end(true);
    }

    @Override
    public void refused(
            Throwable cause, List<ProducerRecord<byte[], byte[]>> refused, List<ProducerRecord<byte[], byte[]>> open) {
        ProducerRecord<byte[], byte[]> dead = letter;
        if (parked != null) { // the parking topic can't take it, so it can't be replayed in its turn
            parked = null;
            onWorker(() -> giveUp(new FinalResult.Failure(FailureStage.PUBLISH, cause)));
        } else if (dead == null) {
            resultsDue = false;
            onWorker(() -> ticket.failedForGood(new FinalResult.Failure(FailureStage.PUBLISH, cause)));
        } else if (!refused.contains(dead)) { // a result; the dead letter is there, or among the open ones
            sayResultRefused(cause);
            goOn(open);
        } else if (!truncated) {
            List<ProducerRecord<byte[], byte[]>> rest = new ArrayList<>(open);
            rest.add(0, shortened(dead));
            goOn(rest);
        } else { // nothing is skipped: it waits until the topic takes it, or its partition goes
            sayStalled(cause);
            List<ProducerRecord<byte[], byte[]>> rest = new ArrayList<>(open);
            rest.add(0, dead);
            Objects.requireNonNull(walk.publisher(), "publisher").publishLater(rest, this);
        }
    }

    private void goOn(List<ProducerRecord<byte[], byte[]>> rest) {
        if (rest.isEmpty()) {
            acknowledged();
        } else {
            onWorker(() -> publish(rest));
        }
    }

    /** Goes on where something may block; what can't be gone on from is seen. */
    private void onWorker(Runnable step) {
        walk.workers().execute(() -> {
            try {
                step.run();
            } catch (Throwable t) {
                walk.fatal().accept(t);
            }
        });
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
