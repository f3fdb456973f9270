package dev.lanekeeper.benchmarks.peers.contenders;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;

/** As many consumers as partitions; each commits after each batch. */
final class ThreadPerPartition implements Peer {
    private final List<PollLoop> loops = new ArrayList<>();

    @Override
    public void start(Race race) {
        for (int i = 0; i < race.partitions(); i++) {
            loops.add(new Loop(race, "partition-" + i));
        }
        loops.forEach(PollLoop::start);
    }

    @Override
    public void close() throws InterruptedException {
        for (PollLoop loop : loops) {
            loop.stop();
        }
    }

    private static final class Loop extends PollLoop {
        Loop(Race race, String name) {
            super(race, name);
        }

        @Override
        void step(Consumer<String, byte[]> consumer) {
            ConsumerRecords<String, byte[]> records = consumer.poll(POLL);
            for (ConsumerRecord<String, byte[]> record : records) {
                if (stopped()) {
                    return; // what is left is not committed
                }
                race().work().handle(record.value());
            }
            if (!records.isEmpty()) {
                consumer.commitSync();
            }
        }
    }
}
