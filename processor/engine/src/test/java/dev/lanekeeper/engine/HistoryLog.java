package dev.lanekeeper.engine;

import dev.lanekeeper.engine.parking.ParkingLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.record.TimestampType;

/** The parking topic as a producer has written it. Thread-safe. */
final class HistoryLog implements ParkingLog {
    static final String TOPIC = "parked";

    private final EngineRig rig;
    private final int partitions;

    /** How many reads fail before one succeeds. */
    final AtomicInteger failures = new AtomicInteger();

    /** What a read waits for. */
    volatile CountDownLatch door = new CountDownLatch(0);

    HistoryLog(EngineRig rig, int partitions) {
        this.rig = rig;
        this.partitions = partitions;
    }

    @Override
    public int partitions() {
        if (failures.getAndDecrement() > 0) {
            throw new IllegalStateException("planned");
        }
        return partitions;
    }

    @Override
    public long read(int partition, long from, Predicate<? super ConsumerRecord<byte[], byte[]>> sink) {
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
        for (ProducerRecord<byte[], byte[]> record : rig.records(TOPIC)) {
            if (Objects.equals(record.partition(), partition)) {
                all.add(new ConsumerRecord<>(
                        TOPIC,
                        partition,
                        all.size(),
                        0,
                        TimestampType.CREATE_TIME,
                        0,
                        0,
                        record.key(),
                        record.value(),
                        record.headers(),
                        Optional.empty()));
            }
        }
        awaitDoor();
        for (long at = from; at < all.size(); at++) {
            if (!sink.test(all.get((int) at))) {
                return at + 1;
            }
        }
        return all.size();
    }

    private void awaitDoor() {
        try {
            door.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
