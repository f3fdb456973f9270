package dev.lanekeeper.benchmarks.peers.contenders;

import dev.lanekeeper.engine.LaneKeeper;
import dev.lanekeeper.engine.LaneKeeperBuilder;
import dev.lanekeeper.engine.handler.Delivery;
import dev.lanekeeper.lanes.LaneThreads;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/** Lanekeeper as it comes out of the builder. */
final class Keeper implements Peer {
    /** As many as are buffered: other contenders on virtual threads have no bound at all. */
    private static final int UNBOUNDED = 10_000;

    private final boolean virtual;
    private @Nullable LaneKeeper<String, byte[]> keeper;
    private @Nullable ExecutorService threads;

    Keeper(boolean virtual) {
        this.virtual = virtual;
    }

    @Override
    public void start(Race race) {
        LaneKeeperBuilder<String, byte[]> builder = LaneKeeper.<String, byte[]>builder()
                .kafka(race.consumer())
                .topics(race.topic())
                .deserializers(new StringDeserializer(), new ByteArrayDeserializer())
                .concurrency(virtual ? UNBOUNDED : race.concurrency());
        if (race.async()) {
            builder.asyncHandler(delivery -> race.work().handleAsync(value(delivery)));
        } else {
            builder.handler(delivery -> race.work().handle(value(delivery)));
        }
        if (!virtual && LaneThreads.virtual()) { // the default there is the other one
            threads = Executors.newFixedThreadPool(race.concurrency());
            builder.executor(threads);
        }
        keeper = builder.build();
        keeper.start();
    }

    private static byte[] value(Delivery<String, byte[]> delivery) {
        return Objects.requireNonNull(delivery.value()); // there are no tombstones among the records
    }

    @Override
    public void close() {
        if (keeper != null) {
            keeper.close(Duration.ofSeconds(20));
        }
        if (threads != null) {
            threads.shutdownNow();
        }
    }
}
