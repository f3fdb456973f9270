package dev.lanekeeper.engine.result;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends outputs and the offsets of what they were made from in one transaction: readers of committed records see both or
 * neither. One transaction at a time; {@link #commit} is called by one thread, the work is done on the executor given, which
 * may block.
 *
 * <p>A transaction that was aborted has left nothing behind and may be tried again as a whole. While the broker doesn't say
 * whether one was committed, this asks on: nobody may guess, since a wrong guess loses or doubles records.
 */
public final class Transactions {
    private static final Logger log = LoggerFactory.getLogger(Transactions.class);

    private final Producer<byte[], byte[]> producer;
    private final Executor thread;
    private final Waiting waiting;
    private volatile boolean closed;

    /** How a thread waits for what another one does. */
    public interface Waiting {
        /** Blocks the thread. */
        Waiting BLOCKING = (end, nanos) -> {
            try {
                end.get(nanos, TimeUnit.NANOSECONDS);
                return true;
            } catch (ExecutionException e) { // how it ended is seen later
                return true;
            } catch (java.util.concurrent.TimeoutException e) {
                return false;
            }
        };

        /** Returns when {@code end} is complete, in whatever way; {@code false} if it isn't after so many nanoseconds. */
        boolean until(CompletableFuture<?> end, long nanos) throws InterruptedException;
    }

    /** How a transaction ended, if the producer can go on after it. */
    public sealed interface End {}

    /** The broker has outputs and offsets. */
    public record Committed() implements End {}

    /**
     * The broker has neither.
     *
     * @param cause why
     * @param refused the output that the broker will never take because of what it is; {@code null} if that was not the cause
     */
    public record Aborted(Throwable cause, @Nullable ProducerRecord<byte[], byte[]> refused) implements End {}

    /**
     * Uses {@code producer}, which has a transactional id and is closed by the caller.
     *
     * @param thread runs one transaction after the other; must not be the caller's
     * @param waiting how the caller waits for it
     */
    public Transactions(Producer<byte[], byte[]> producer, Executor thread, Waiting waiting) {
        this.producer = producer;
        this.thread = thread;
        this.waiting = waiting;
    }

    /** Waits on the calling thread until {@code end} is complete; {@code false} if it isn't after so many nanoseconds. */
    public boolean await(CompletableFuture<?> end, long nanos) throws InterruptedException {
        return waiting.until(end, nanos);
    }

    /**
     * Fences earlier producers of the same transactional id, and waits for the end of what they have begun. Called before the
     * first {@link #commit}, again and again until the broker has answered.
     *
     * @return {@code false} if the broker does not answer in the time that the producer's settings give it
     * @throws KafkaException if this producer can't be used
     */
    public boolean begin() {
        try {
            producer.initTransactions();
            return true;
        } catch (TimeoutException e) {
            log.warn("the broker does not answer the beginning of transactions: {}", e.toString());
            return false;
        }
    }

    /**
     * Commits all of it or nothing.
     *
     * @param stillOwned asked before the offsets are sent and when the broker has them, on the executor's thread: whether their
     *     partitions are still owned. If not, it is aborted. The group refuses an offset of somebody who has left, but not
     *     always one of a partition that a member had to give up
     * @return completes on the executor's thread; exceptionally if this producer can't go on
     */
    public CompletableFuture<End> commit(
            List<ProducerRecord<byte[], byte[]>> outputs,
            Map<TopicPartition, OffsetAndMetadata> offsets,
            ConsumerGroupMetadata group,
            BooleanSupplier stillOwned) {
        CompletableFuture<End> end = new CompletableFuture<>();
        try {
            thread.execute(() -> {
                try {
                    end.complete(run(outputs, offsets, group, stillOwned));
                } catch (Throwable t) { // whatever it is, someone waits for the end
                    end.completeExceptionally(t);
                }
            });
        } catch (RejectedExecutionException e) {
            end.completeExceptionally(e);
        }
        return end;
    }

    /** Stops asking for the ends of transactions: what is not known to be committed is left to the broker's timeout. */
    public void close() {
        closed = true;
    }

    private End run(
            List<ProducerRecord<byte[], byte[]>> outputs,
            Map<TopicPartition, OffsetAndMetadata> offsets,
            ConsumerGroupMetadata group,
            BooleanSupplier stillOwned) {
        Sent sent = new Sent();
        try {
            producer.beginTransaction();
            outputs.forEach(sent::send);
            producer.flush(); // a failed output shows before the offsets are sent, and by its own error
            sent.requireAcknowledged();
            requireOwned(stillOwned);
            producer.sendOffsetsToTransaction(offsets, group);
            requireOwned(stillOwned); // who owns them later begins when the broker knows how this has ended
        } catch (KafkaException e) {
            return abort(e, sent.refused());
        }
        try {
            untilAnswered(producer::commitTransaction);
            return new Committed();
        } catch (TimeoutException | InterruptException e) { // closed meanwhile
            throw e;
        } catch (KafkaException e) {
            return abort(e, sent.refused());
        }
    }

    private static void requireOwned(BooleanSupplier stillOwned) {
        if (!stillOwned.getAsBoolean()) {
            throw new CommitFailedException("a partition was taken away before its offset was sent");
        }
    }

    private Aborted abort(KafkaException cause, @Nullable ProducerRecord<byte[], byte[]> refused) {
        if (endsTheProducer(cause)) {
            throw cause;
        }
        untilAnswered(producer::abortTransaction);
        return new Aborted(cause, refused);
    }

    /** Both ends of a transaction may be asked for again after a timeout, and must be: until then nobody knows which it was. */
    private void untilAnswered(Runnable end) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    end.run();
                    return;
                } catch (TimeoutException | InterruptException e) {
                    interrupted |= Thread.interrupted();
                    if (closed) {
                        throw e;
                    }
                    log.warn("the broker does not say how a transaction ended; asking again: {}", e.toString());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static boolean endsTheProducer(Throwable failure) {
        return failure instanceof ProducerFencedException
                || failure instanceof FencedInstanceIdException
                || failure instanceof InvalidPidMappingException
                || failure instanceof UnsupportedVersionException
                || failure instanceof AuthenticationException
                || failure instanceof AuthorizationException;
    }

    /** The outputs of one transaction, and the first that failed. */
    private final class Sent {
        private final AtomicReference<@Nullable Failed> first = new AtomicReference<>();

        private record Failed(ProducerRecord<byte[], byte[]> record, Exception cause) {}

        void send(ProducerRecord<byte[], byte[]> record) {
            try {
                var unused = producer.send(record, (metadata, failure) -> {
                    if (failure != null) {
                        first.compareAndSet(null, new Failed(record, failure));
                    }
                });
            } catch (KafkaException e) {
                first.compareAndSet(null, new Failed(record, e));
                throw e;
            }
        }

        void requireAcknowledged() {
            Failed failed = first.get();
            if (failed != null) {
                throw failed.cause() instanceof KafkaException known ? known : new KafkaException(failed.cause());
            }
        }

        @Nullable
        ProducerRecord<byte[], byte[]> refused() {
            Failed failed = first.get();
            return failed != null && Publisher.refuses(failed.cause()) ? failed.record() : null;
        }
    }
}
