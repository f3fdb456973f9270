package dev.lanekeeper.engine;

import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.producer.Producer;

/**
 * How an engine comes by its clients. Immutable.
 *
 * @param consumers makes the consumer
 * @param producers makes the producer
 * @param subscription subscribes the consumer, with the engine's listener
 */
record Clients(
        Supplier<? extends Consumer<byte[], byte[]>> consumers,
        Supplier<? extends Producer<byte[], byte[]>> producers,
        BiConsumer<Consumer<?, ?>, ConsumerRebalanceListener> subscription) {}
