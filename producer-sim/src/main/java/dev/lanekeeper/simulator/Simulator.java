package dev.lanekeeper.simulator;

import dev.lanekeeper.simulator.progress.Progress;
import dev.lanekeeper.simulator.workload.SimulatedRecord;
import dev.lanekeeper.simulator.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends a workload to a topic, in its order, and accounts for every record. One run at a time, on the caller's thread.
 *
 * <p>A run ends in one of three ways: everything is acknowledged; the thread is interrupted, then what was sent until
 * there is acknowledged and the report says so; or a record fails, then the run stops and throws.
 */
public final class Simulator {
    private final Producer<byte[], byte[]> producer;
    private final String topic;
    private final OptionalDouble recordsPerSecond;

    /**
     * Sends through {@code producer}, which stays the caller's to close.
     *
     * @param producer one that keeps order and waits for all replicas, as {@link #producer} makes it
     * @param topic must exist
     * @param recordsPerSecond the rate to keep to, above 0; empty for as fast as the broker takes it
     */
    public Simulator(Producer<byte[], byte[]> producer, String topic, OptionalDouble recordsPerSecond) {
        if (recordsPerSecond.isPresent() && !(recordsPerSecond.getAsDouble() > 0)) {
            throw new IllegalArgumentException(
                    "recordsPerSecond is " + recordsPerSecond.getAsDouble() + ": it must be above 0");
        }
        this.producer = producer;
        this.topic = topic;
        this.recordsPerSecond = recordsPerSecond;
    }

    /**
     * A producer that neither loses, repeats nor reorders what is sent.
     *
     * @param clientSettings Kafka's names; what the guarantee rests on is set here and wins
     */
    public static Producer<byte[], byte[]> producer(Map<String, ?> clientSettings) {
        Map<String, Object> settings = new HashMap<>(clientSettings);
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
        settings.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, "5");
        settings.putIfAbsent(ProducerConfig.BATCH_SIZE_CONFIG, Integer.toString(64 * 1024));
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /**
     * Sends the whole workload and waits for the acknowledgements.
     *
     * @return what the topic now holds; if the thread was interrupted, so it is again, and the report says so
     * @throws SendFailedException if a record failed, or is not known to have been acknowledged
     */
    public SentReport run(Workload workload, Progress progress) throws SendFailedException {
        Instant startedAt = Instant.now();
        long startNanos = System.nanoTime();
        Acknowledgements acknowledgements = new Acknowledgements(topic);
        SentTally tally = new SentTally();
        boolean interrupted = send(workload, tally, acknowledgements, progress, startNanos);
        awaitAcknowledgements(interrupted);
        acknowledgements.verify(tally.total());
        return new SentReport(
                topic,
                workload.settings().seed(),
                tally.total(),
                tally.refused(),
                tally.undecodable(),
                startedAt,
                Duration.ofNanos(System.nanoTime() - startNanos),
                interrupted,
                tally.perCustomer());
    }

    /** Returns whether an interrupt ended it; the flag is then cleared. */
    private boolean send(
            Workload workload, SentTally tally, Acknowledgements acknowledgements, Progress progress, long startNanos) {
        Pacer pacer = recordsPerSecond.isPresent() ? new Pacer(recordsPerSecond.getAsDouble(), startNanos) : null;
        for (SimulatedRecord next : workload) {
            if (pacer != null) {
                awaitTurn(pacer);
            }
            if (Thread.interrupted()) {
                return true;
            }
            if (acknowledgements.anyFailed()) {
                return false;
            }
            try {
                send(next, acknowledgements.of(tally.total() + 1, next.customerId()));
            } catch (InterruptException e) {
                // interrupted while it waited for room: this record is not in the producer
                Thread.interrupted();
                return true;
            }
            tally.add(next);
            progress.stepTo(tally.total());
        }
        return false;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback hears the same, without keeping a future per record
    private void send(SimulatedRecord record, Callback callback) {
        producer.send(new ProducerRecord<>(topic, record.key(), record.value()), callback);
    }

    private static void awaitTurn(Pacer pacer) {
        long deadlineNanos = System.nanoTime();
        deadlineNanos += pacer.reserve(deadlineNanos);
        long leftNanos = deadlineNanos - System.nanoTime();
        while (leftNanos > 0 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(leftNanos);
            leftNanos = deadlineNanos - System.nanoTime();
        }
    }

    private void awaitAcknowledgements(boolean interrupted) throws SendFailedException {
        try {
            producer.flush();
        } catch (InterruptException e) {
            throw new SendFailedException(
                    "Interrupted again while waiting for acknowledgements: what was sent to topic " + topic
                            + " last is not known",
                    e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
