package dev.lanekeeper.engine;

import dev.lanekeeper.engine.handler.FailurePolicy;
import dev.lanekeeper.engine.handler.HandlerContext;
import dev.lanekeeper.engine.handler.HandlerTimeout;
import dev.lanekeeper.engine.handler.RateLimit;
import dev.lanekeeper.engine.handler.ResultWriter;
import dev.lanekeeper.engine.handler.RetryPolicy;
import dev.lanekeeper.engine.intake.IntakeSettings;
import dev.lanekeeper.engine.parking.ParkingLog;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * All that {@link LaneKeeperBuilder} was told, checked and complete. Immutable; what each component means to a user is said
 * at the builder's method of the same name.
 *
 * @param parking {@code null} if nothing is ever parked
 * @param handlerTimeout {@code null} if attempts may take as long as they like
 * @param transactionalId {@code null} for at-least-once delivery
 * @param executor {@code null} if the engine is to have workers of its own
 * @param environment time, timers and threads
 */
record EngineSettings<K, V>(
        String name,
        Clients clients,
        Function<? super ConsumerRecord<byte[], byte[]>, byte @Nullable []> laneKey,
        Deserializer<? extends K> keys,
        Deserializer<? extends V> values,
        Walk.Call<K, V> call,
        @Nullable ResultWriter<V> results,
        String deadLetters,
        @Nullable ParkingSettings parking,
        RetryPolicy retry,
        FailurePolicy failures,
        @Nullable HandlerTimeout handlerTimeout,
        int concurrency,
        RateLimit rateLimit,
        RateLimit laneRateLimit,
        int incarnation,
        List<HandlerContext> contexts,
        IntakeSettings intake,
        @Nullable String transactionalId,
        @Nullable Executor executor,
        InstantSource clock,
        RandomGenerator random,
        Environment environment) {

    static int requireConcurrency(int concurrency) {
        if (concurrency < 1) {
            throw new IllegalArgumentException("concurrency must be at least 1: " + concurrency);
        }
        return concurrency;
    }

    /**
     * Where records are parked.
     *
     * @param topic the parking topic
     * @param log how it is read
     */
    record ParkingSettings(String topic, ParkingLog log) {}
}
