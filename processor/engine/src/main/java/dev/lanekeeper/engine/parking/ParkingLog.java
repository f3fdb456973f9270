package dev.lanekeeper.engine.parking;

import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The parking topic, to be read. May block; thread-safe. */
public interface ParkingLog {
    /**
     * How many partitions it has.
     *
     * @throws IllegalStateException if there is no such topic
     */
    int partitions();

    /**
     * Reads a partition from {@code from} to what is its end at the time of the call.
     *
     * @param sink takes each record; answers whether it wants more
     * @return the position to go on from
     */
    long read(int partition, long from, Predicate<? super ConsumerRecord<byte[], byte[]>> sink);
}
