package dev.lanekeeper.benchmarks.peers.contenders;

import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;

/** One consumer, one thread, one commit at the end. */
final class BareConsumer implements Peer {
    private @Nullable PollLoop loop;

    @Override
    public void start(Race race) {
        loop = new PollLoop(race, "bare") {
            @Override
            void step(Consumer<String, byte[]> consumer) {
                consumer.poll(POLL).forEach(record -> race().work().handle(record.value()));
            }

            @Override
            void last(Consumer<String, byte[]> consumer) {
                consumer.commitSync();
            }
        };
        loop.start();
    }

    @Override
    public void close() throws InterruptedException {
        if (loop != null) {
            loop.stop();
        }
    }
}
