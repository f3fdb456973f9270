package dev.lanekeeper.benchmarks.peers.contenders;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;

/** Polls a batch, runs its keys in parallel, waits for all of them, commits. */
final class Barrier implements Peer {
    private final boolean virtual;
    private @Nullable Loop loop;

    Barrier(boolean virtual) {
        this.virtual = virtual;
    }

    @Override
    public void start(Race race) {
        loop = new Loop(race, Pools.of(virtual, race.concurrency()));
        loop.start();
    }

    @Override
    public void close() throws InterruptedException {
        if (loop != null) {
            loop.stop();
            loop.pool.shutdownNow();
        }
    }

    private static final class Loop extends PollLoop {
        private final ExecutorService pool;

        Loop(Race race, ExecutorService pool) {
            super(race, "barrier");
            this.pool = pool;
        }

        @Override
        void step(Consumer<String, byte[]> consumer) {
            ConsumerRecords<String, byte[]> records = consumer.poll(POLL);
            if (records.isEmpty()) {
                return;
            }
            Map<String, List<byte[]>> byKey = new LinkedHashMap<>();
            for (ConsumerRecord<String, byte[]> record : records) {
                byKey.computeIfAbsent(record.key(), key -> new ArrayList<>(2)).add(record.value());
            }
            CompletableFuture.allOf(byKey.values().stream().map(this::run).toArray(CompletableFuture[]::new))
                    .join();
            consumer.commitAsync();
        }

        @Override
        void last(Consumer<String, byte[]> consumer) {
            consumer.commitSync();
        }

        private CompletableFuture<?> run(List<byte[]> values) {
            if (!race().async()) {
                return CompletableFuture.runAsync(() -> values.forEach(race().work()::handle), pool);
            }
            CompletableFuture<?> last = CompletableFuture.completedFuture(null);
            for (byte[] value : values) {
                last = last.thenCompose(ignored -> race().work().handleAsync(value));
            }
            return last;
        }
    }
}
