package dev.lanekeeper.engine;

import dev.lanekeeper.engine.handler.AsyncHandler;
import dev.lanekeeper.engine.handler.Handler;
import dev.lanekeeper.engine.handler.ResultWriter;
import dev.lanekeeper.engine.handler.RetryPolicy;
import dev.lanekeeper.engine.intake.Completions;
import dev.lanekeeper.engine.result.DeadLetters;
import dev.lanekeeper.engine.result.Publisher;
import dev.lanekeeper.lanes.Lanes;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
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
 * @param permits bounds asynchronous attempts; {@code null} where the number of workers bounds them
 * @param retry what follows a failed attempt
 * @param workers runs lanes, and whatever may block
 * @param timer wakes up retries
 * @param random jitter of retries
 * @param results extra records for each final result; {@code null} if nobody wants them
 * @param deadLetters makes the dead letter
 * @param publisher sends all of those; {@code null} if they go with the transaction that commits the record
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
        @Nullable Permits permits,
        RetryPolicy retry,
        Executor workers,
        Timer timer,
        RandomGenerator random,
        @Nullable ResultWriter<V> results,
        DeadLetters deadLetters,
        @Nullable Publisher publisher,
        Completions completions,
        InstantSource clock,
        Counters counters,
        Consumer<Throwable> fatal) {

    /**
     * What happened on the way.
     *
     * @param failed failed attempts
     * @param dead dead letters that the broker has
     * @param late completions of attempts that had ended
     * @param complaints says that attempts fail
     */
    record Counters(LongAdder failed, LongAdder dead, LongAdder late, Complaints complaints) {
        Counters(LongSupplier nanoTime) {
            this(new LongAdder(), new LongAdder(), new LongAdder(), new Complaints(nanoTime));
        }
    }

    /** Either kind of handler: calls it, and says through the ticket how the attempt ended. */
    sealed interface Call<K, V> {
        /** Runs or begins the attempt. What it throws ends the attempt as failed. */
        void run(RecordTicket<K, V> ticket, Attempt<K, V> attempt) throws Exception;
    }

    /** The record is done when the handler returns. */
    record Blocking<K, V>(Handler<? super K, ? super V> handler) implements Call<K, V> {
        @Override
        @SuppressWarnings("unchecked") // a handler only reads K and V from its delivery
        public void run(RecordTicket<K, V> ticket, Attempt<K, V> attempt) throws Exception {
            ((Handler<K, V>) handler).handle(attempt);
            ticket.ended(attempt, null);
        }
    }

    /** The record is done when the stage completes, on whatever thread. */
    record Async<K, V>(AsyncHandler<? super K, ? super V> handler) implements Call<K, V> {
        @Override
        @SuppressWarnings("unchecked") // as above
        public void run(RecordTicket<K, V> ticket, Attempt<K, V> attempt) throws Exception {
            var stage = ((AsyncHandler<K, V>) handler).handle(attempt);
            if (stage == null) {
                throw new NullPointerException("the handler returned a null stage");
            }
            stage.whenComplete((ignored, failure) -> ticket.ended(attempt, failure));
        }
    }
}
