package dev.lanekeeper.engine;

import dev.lanekeeper.engine.handler.ResultWriter;
import dev.lanekeeper.engine.handler.RetryPolicy;
import dev.lanekeeper.engine.intake.IntakeSettings;
import java.time.InstantSource;
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
        RetryPolicy retry,
        int concurrency,
        IntakeSettings intake,
        @Nullable String transactionalId,
        @Nullable Executor executor,
        InstantSource clock,
        RandomGenerator random,
        Environment environment) {}
