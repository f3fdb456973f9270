package dev.lanekeeper.engine;

import dev.lanekeeper.engine.handler.AsyncHandler;
import dev.lanekeeper.engine.handler.BatchHandler;
import dev.lanekeeper.engine.handler.BatchLimit;
import dev.lanekeeper.engine.handler.Delivery;
import dev.lanekeeper.engine.handler.Handler;
import dev.lanekeeper.engine.handler.ResultWriter;
import dev.lanekeeper.engine.intake.Completions;
import dev.lanekeeper.engine.result.DeadLetters;
import dev.lanekeeper.engine.result.Publisher;
import dev.lanekeeper.lanes.Lanes;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The rooms that a record passes, in the order of its way; shared by all records of an engine.
 *
 * @param lanes where it waits for its turn
 * @param keys decodes its key, on the lane's thread
 * @param values decodes its value
 * @param call the user's code
 * @param surroundings what is entered before a call and left after it
 * @param incarnation which life of the stream this is, for fencing tokens
 * @param pace the rate limits
 * @param permits bounds asynchronous attempts; {@code null} where the number of workers bounds them
 * @param watch looks after attempts that take too long; {@code null} where time is not limited
 * @param judge says what follows a failed attempt
 * @param workers runs lanes, and whatever may block
 * @param timer wakes up retries
 * @param results extra records for each final result; {@code null} if nobody wants them
 * @param deadLetters makes the dead letter
 * @param publisher sends all of those; {@code null} if they go with the transaction that commits the record
 * @param heldUp lanes whose head has failed and not ended yet: a concurrent set
 * @param stops partitions in which nothing starts
 * @param parking customers whose records are set aside in order; {@code null} if none ever are
 * @param completions where it reports its end
 * @param clock when it started and ended
 * @param counters what happened on the way
 * @param fatal stops the engine
 */
record Walk<K, V>(
        Lanes<Bytes> lanes,
        Deserializer<? extends K> keys,
        Deserializer<? extends V> values,
        Call<K, V> call,
        Surroundings surroundings,
        int incarnation,
        Pace pace,
        @Nullable Permits permits,
        @Nullable HandlerWatch watch,
        Judge judge,
        Executor workers,
        Timer timer,
        @Nullable ResultWriter<V> results,
        DeadLetters deadLetters,
        @Nullable Publisher publisher,
        Set<Bytes> heldUp,
        Stops stops,
        @Nullable Parking<K, V> parking,
        Completions completions,
        InstantSource clock,
        Counters counters,
        Consumer<Throwable> fatal) {

    @Nullable
    K key(ConsumerRecord<byte[], byte[]> record) {
        return record.key() == null ? null : keys.deserialize(record.topic(), record.headers(), record.key());
    }

    @Nullable
    V value(ConsumerRecord<byte[], byte[]> record) {
        return record.value() == null ? null : values.deserialize(record.topic(), record.headers(), record.value());
    }

    /**
     * What happened on the way.
     *
     * @param failed failed attempts
     * @param dead dead letters that the broker has
     * @param parked records that were parked
     * @param late completions of attempts that had ended
     * @param overdue attempts that took longer than they may
     * @param complaints says that attempts fail
     */
    record Counters(
            LongAdder failed,
            LongAdder dead,
            LongAdder parked,
            LongAdder late,
            LongAdder overdue,
            Complaints complaints) {
        Counters(LongSupplier nanoTime) {
            this(
                    new LongAdder(),
                    new LongAdder(),
                    new LongAdder(),
                    new LongAdder(),
                    new LongAdder(),
                    new Complaints(nanoTime));
        }
    }

    /** Each kind of handler: calls it, and says through the ticket how the attempt ended. */
    sealed interface Call<K, V> {
        /** Runs or begins the attempt. What it throws ends the attempt as failed. */
        void run(RecordTicket<K, V> ticket, Attempt<K, V> attempt) throws Exception;
    }

    /** The record is done when the handler returns. */
    record Blocking<K, V>(Handler<? super K, ? super V> handler) implements Call<K, V> {
        @Override
        @SuppressWarnings("unchecked") // a handler only reads K and V from its delivery
        public void run(RecordTicket<K, V> ticket, Attempt<K, V> attempt) throws Exception {
            try {
                ((Handler<K, V>) handler).handle(attempt);
            } finally {
                attempt.handlerReturned();
            }
            ticket.ended(attempt, null);
        }
    }

    /** Several records at once, which are done when the handler returns; which they are is the tickets' matter. */
    record Batched<K, V>(BatchHandler<? super K, ? super V> handler, BatchLimit limit) implements Call<K, V> {
        /** Of one record alone. */
        @Override
        public void run(RecordTicket<K, V> ticket, Attempt<K, V> attempt) throws Exception {
            try {
                handle(List.of(attempt));
            } finally {
                attempt.handlerReturned();
            }
            ticket.ended(attempt, null);
        }

        @SuppressWarnings("unchecked") // as above
        void handle(List<? extends Delivery<K, V>> batch) throws Exception {
            ((BatchHandler<K, V>) handler).handle(List.copyOf(batch));
        }
    }

    /** The record is done when the stage completes, on whatever thread. */
    record Async<K, V>(AsyncHandler<? super K, ? super V> handler) implements Call<K, V> {
        @Override
        @SuppressWarnings("unchecked") // as above
        public void run(RecordTicket<K, V> ticket, Attempt<K, V> attempt) throws Exception {
            CompletionStage<?> stage;
            try {
                stage = ((AsyncHandler<K, V>) handler).handle(attempt);
            } finally {
                attempt.handlerReturned();
            }
            if (stage == null) {
                throw new NullPointerException("the handler returned a null stage");
            }
            stage.whenComplete((ignored, failure) -> ticket.ended(attempt, failure));
            attempt.stageObserved();
        }
    }
}
