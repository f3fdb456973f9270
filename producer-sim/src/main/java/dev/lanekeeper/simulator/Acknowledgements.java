package dev.lanekeeper.simulator;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Callback;
import org.jspecify.annotations.Nullable;

/** Hears what became of every record. Thread-safe: the producer's thread reports, the sending thread asks. */
final class Acknowledgements {
    private record Failure(long number, String customerId, Exception cause) {}

    private final String topic;
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicReference<@Nullable Failure> first = new AtomicReference<>();

    Acknowledgements(String topic) {
        this.topic = topic;
    }

    /** The callback for the record that is sent as {@code number}, counted from 1. */
    Callback of(long number, String customerId) {
        return (metadata, error) -> {
            if (error == null) {
                acknowledged.incrementAndGet();
            } else {
                failed.incrementAndGet();
                first.compareAndSet(null, new Failure(number, customerId, error));
            }
        };
    }

    boolean anyFailed() {
        return failed.get() > 0;
    }

    /** Throws unless exactly {@code sent} records are acknowledged. */
    void verify(long sent) throws SendFailedException {
        Failure failure = first.get();
        if (failure != null) {
            throw new SendFailedException(
                    String.format(
                            "%d of %d records sent to topic %s failed; the first was number %d, of customer %s: %s",
                            failed.get(), sent, topic, failure.number, failure.customerId, failure.cause),
                    failure.cause);
        }
        long heard = acknowledged.get();
        if (heard != sent) {
            throw new SendFailedException(
                    String.format("%d of %d records sent to topic %s were not acknowledged", sent - heard, sent, topic),
                    null);
        }
    }
}
