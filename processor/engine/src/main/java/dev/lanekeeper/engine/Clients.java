package dev.lanekeeper.engine;

import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;

/**
 * How an engine comes by its clients. Immutable.
 *
 * @param consumers makes the consumer
 * @param producers makes the producer
 * @param admins makes a client that asks for the ids of topics; {@code null} if nobody is to ask
 * @param subscription subscribes the consumer, with the engine's listener
 */
record Clients(
        Supplier<? extends Consumer<byte[], byte[]>> consumers,
        Supplier<? extends Producer<byte[], byte[]>> producers,
        @Nullable Supplier<? extends Admin> admins,
        BiConsumer<Consumer<?, ?>, ConsumerRebalanceListener> subscription) {}
