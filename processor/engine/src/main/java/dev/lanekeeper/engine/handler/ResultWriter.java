package dev.lanekeeper.engine.handler;

import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Writes what others should learn of each final result. Called once for each, on a worker thread; its records are sent
 * after the handler's own outputs or the dead letter, and the source offset completes only when all are acknowledged.
 *
 * @param <V> the decoded value
 */
@FunctionalInterface
public interface ResultWriter<V> {
    /** The records to send for {@code result}; may be empty. */
    List<ProducerRecord<byte[], byte[]>> write(FinalResult<V> result);
}
