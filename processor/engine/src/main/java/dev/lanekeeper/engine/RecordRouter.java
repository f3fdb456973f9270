package dev.lanekeeper.engine;

import dev.lanekeeper.engine.intake.Assignment;
import dev.lanekeeper.engine.intake.Routed;
import dev.lanekeeper.engine.intake.Router;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Finds the lane of a record. Runs on the poll thread.
 *
 * <p>A record without a lane key, or whose key can't be found, gets a lane of its own and goes from there to the dead
 * letters: never into one lane shared by all such records, where each would wait for the others.
 */
final class RecordRouter<K, V> implements Router {
    private final Walk<K, V> walk;
    private final Function<? super ConsumerRecord<byte[], byte[]>, byte @Nullable []> laneKey;

    RecordRouter(Walk<K, V> walk, Function<? super ConsumerRecord<byte[], byte[]>, byte @Nullable []> laneKey) {
        this.walk = walk;
        this.laneKey = laneKey;
    }

    @Override
    public Routed route(ConsumerRecord<byte[], byte[]> record, Assignment assignment, long sequence) {
        Throwable unroutable;
        try {
            byte[] key = laneKey.apply(record);
            if (key != null) {
                return ticket(record, assignment, sequence, Bytes.wrap(key));
            }
            unroutable = new IllegalArgumentException("the record has no lane key; its record key is "
                    + (record.key() == null ? "null" : record.key().length + " bytes long"));
        } catch (Throwable t) { // foreign code on the poll thread: it must not end the loop
            unroutable = t;
        }
        byte[] own =
                (record.topic() + "-" + record.partition() + "@" + record.offset()).getBytes(StandardCharsets.UTF_8);
        return new RecordTicket<>(walk, record, assignment, sequence, Bytes.wrap(own), unroutable);
    }

    private RecordTicket<K, V> ticket(
            ConsumerRecord<byte[], byte[]> record, Assignment assignment, long sequence, Bytes key) {
        return walk.call() instanceof Walk.Batched<K, V> batched
                ? new BatchTicket<>(walk, record, assignment, sequence, key, batched)
                : new RecordTicket<>(walk, record, assignment, sequence, key, null);
    }

    @Override
    public void dispatched() {
        walk.lanes().arrivals().start();
    }
}
