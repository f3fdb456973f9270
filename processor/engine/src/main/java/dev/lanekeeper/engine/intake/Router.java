package dev.lanekeeper.engine.intake;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Turns a delivered record into something that can go its way. Called on the poll thread; must not throw or block. */
@FunctionalInterface
public interface Router {
    /** Makes the routed record; it is registered before {@link Routed#dispatch} is called. */
    Routed route(ConsumerRecord<byte[], byte[]> record, Assignment assignment, long sequence);

    /** All that came at once is dispatched. */
    default void dispatched() {}
}
