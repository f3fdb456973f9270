package dev.lanekeeper.engine.result;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends records and says when the broker has all of them. Thread-safe.
 *
 * <p>A send that fails for a reason that may pass (the broker is away, the topic is missing) is tried again for as long as
 * it takes, with a pause in between that holds no thread: nothing is skipped, the source record just doesn't complete.
 */
public final class Publisher {
    private static final Logger log = LoggerFactory.getLogger(Publisher.class);

    private final Producer<byte[], byte[]> producer;
    private final Executor afterPause;
    private final Executor probes;
    private final Consumer<Throwable> fatal;
    private final SuspectTopics suspects = new SuspectTopics();

    /**
     * Sends with {@code producer}, which the caller closes.
     *
     * @param afterPause runs a task after the pause between two tries, on a thread that may block
     * @param probes runs sends that are likely to block, on threads that nobody else needs
     * @param fatal hears of an error after which this producer can't send any more
     */
    public Publisher(
            Producer<byte[], byte[]> producer, Executor afterPause, Executor probes, Consumer<Throwable> fatal) {
        this.producer = producer;
        this.afterPause = afterPause;
        this.probes = probes;
        this.fatal = fatal;
    }

    /**
     * What becomes of a {@link #publish}. One of {@link #acknowledged} and {@link #refused} is called, once, on the
     * producer's thread or, if sending failed at once, the caller's.
     */
    public interface Receipt {
        /** The broker has all records. */
        void acknowledged();

        /**
         * The broker will never take some of the records, because of what they are.
         *
         * @param refused those records
         * @param open others that failed for a reason that may pass, and that nobody sends again; the rest is acknowledged
         */
        void refused(
                Throwable cause,
                List<ProducerRecord<byte[], byte[]>> refused,
                List<ProducerRecord<byte[], byte[]>> open);

        /**
         * Asked between two tries, on the thread of the next. If the result isn't wanted any more, this has ended matters:
         * nothing else is called.
         */
        boolean wanted();
    }

    /**
     * Sends {@code records} in their order; one that has to be sent again comes after those that went through. May block
     * while the producer's buffer is full, or while it asks for a topic for the first time; but not again for a topic that it
     * could not reach, so that this topic's records keep nobody else's from being sent.
     */
    public void publish(List<ProducerRecord<byte[], byte[]>> records, Receipt receipt) {
        String suspect = suspects.among(records);
        if (suspect == null) {
            send(records, receipt);
        } else if (suspects.beginProbe(suspect)) {
            probes.execute(() -> {
                try {
                    send(records, receipt);
                } finally {
                    suspects.endProbe(suspect); // whatever happened: without it nobody would ever probe again
                }
            });
        } else {
            publishLater(records, receipt);
        }
    }

    /** The same after a pause, if it is still wanted then. */
    public void publishLater(List<ProducerRecord<byte[], byte[]>> records, Receipt receipt) {
        afterPause.execute(() -> sendAgain(records, receipt));
    }

    private void send(List<ProducerRecord<byte[], byte[]>> records, Receipt receipt) {
        Round round = new Round(records, receipt);
        for (ProducerRecord<byte[], byte[]> record : records) {
            round.send(record);
        }
    }

    private void sendAgain(List<ProducerRecord<byte[], byte[]>> records, Receipt receipt) {
        if (receipt.wanted()) {
            publish(records, receipt);
        }
    }

    /** One try of all records that are not acknowledged yet; ends when each has been answered. */
    private final class Round {
        private final Receipt receipt;
        private final AtomicInteger unanswered;
        private final List<ProducerRecord<byte[], byte[]>> again = new ArrayList<>(0);
        private final List<ProducerRecord<byte[], byte[]>> refused = new ArrayList<>(0);
        private @Nullable Throwable refusal;
        private @Nullable Throwable lastFailure;

        Round(List<ProducerRecord<byte[], byte[]>> records, Receipt receipt) {
            this.receipt = receipt;
            this.unanswered = new AtomicInteger(records.size());
        }

        void send(ProducerRecord<byte[], byte[]> record) {
            try {
                Future<?> unused = producer.send(record, (metadata, failure) -> answered(record, failure));
            } catch (RuntimeException e) { // not sent at all; an InterruptException has set the thread's flag again
                answered(record, e);
            }
        }

        private void answered(ProducerRecord<byte[], byte[]> record, @Nullable Exception failure) {
            if (failure == null) {
                if (suspects.clear(record.topic())) {
                    log.info("topic {} can be reached again", record.topic());
                }
            } else {
                note(record, failure);
            }
            if (unanswered.decrementAndGet() == 0) {
                end();
            }
        }

        private synchronized void note(ProducerRecord<byte[], byte[]> record, Exception failure) {
            lastFailure = failure;
            if (failure instanceof TimeoutException && suspects.add(record.topic())) {
                log.warn("topic {} can't be reached; its records wait: {}", record.topic(), failure.toString());
            }
            if (refuses(failure)) {
                refusal = failure;
                refused.add(record);
            } else {
                again.add(record);
            }
        }

        /** Runs after every {@link #note}, since each answer counts down after its own. */
        private void end() {
            if (refusal != null) {
                receipt.refused(refusal, List.copyOf(refused), List.copyOf(again));
            } else if (lastFailure == null) {
                receipt.acknowledged();
            } else if (endsTheProducer(lastFailure)) {
                fatal.accept(lastFailure);
            } else {
                log.debug("{} records could not be sent and are tried again: {}", again.size(), lastFailure.toString());
                List<ProducerRecord<byte[], byte[]>> failed = List.copyOf(again);
                publishLater(failed, receipt);
            }
        }
    }

    /** Whether the broker will never take this record, while it takes others. */
    static boolean refuses(Throwable failure) {
        return failure instanceof RecordTooLargeException
                || failure instanceof SerializationException
                || failure instanceof InvalidTopicException;
    }

    private static boolean endsTheProducer(Throwable failure) {
        return failure instanceof AuthorizationException
                || failure instanceof AuthenticationException
                || failure instanceof ProducerFencedException
                || failure instanceof UnsupportedVersionException
                || failure instanceof IllegalStateException; // closed, or in a fatal state
    }
}
