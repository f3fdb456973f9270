package dev.lanekeeper.engine;

import dev.lanekeeper.engine.handler.FinalResult;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A parked record that is handled again. Its offset was done when it was parked, so the poll thread knows nothing of it;
 * when all that it causes is at the broker, it is taken out of the parking topic. Threads as for the class it extends.
 */
final class ReplayTicket<K, V> extends RecordTicket<K, V> {
    private final Replay<K, V> replay;
    private final ProducerRecord<byte[], byte[]> gone;

    /** Why it stays parked. */
    private FinalResult.@Nullable Failure stays;

    ReplayTicket(
            Walk<K, V> walk,
            ConsumerRecord<byte[], byte[]> record,
            Parking.Lot lot,
            Bytes laneKey,
            Replay<K, V> replay,
            ProducerRecord<byte[], byte[]> gone) {
        super(walk, record, lot.assignment(), -1, laneKey, null);
        this.replay = replay;
        this.gone = gone;
    }

    /** Never: it would wait for itself. */
    @Override
    boolean mustWait() {
        return false;
    }

    @Override
    boolean isParked() {
        return false;
    }

    @Override
    List<ProducerRecord<byte[], byte[]>> closing() {
        return List.of(gone);
    }

    @Override
    void park(FinalResult.Failure failure) {
        stop(failure);
    }

    @Override
    void stop(FinalResult.Failure failure) {
        stays = failure;
        end(false);
    }

    @Override
    void report() {
        FinalResult.Failure failure = stays;
        if (failure != null) {
            replay.stopped(this, failure);
        } else if (durable()) {
            replay.done(this);
        } else {
            replay.lost();
        }
    }

    @Override
    void dropped() {
        super.dropped();
        replay.lost();
    }
}
