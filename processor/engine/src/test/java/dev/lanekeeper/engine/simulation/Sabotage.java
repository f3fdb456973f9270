package dev.lanekeeper.engine.simulation;

import dev.lanekeeper.engine.LaneKeeperBuilder;
import dev.lanekeeper.engine.SteppedEngine;
import dev.lanekeeper.engine.handler.AsyncHandler;
import dev.lanekeeper.engine.handler.BatchHandler;
import dev.lanekeeper.engine.simulation.cluster.FakeCluster;
import dev.lanekeeper.engine.simulation.cluster.FakeConsumer;
import dev.lanekeeper.engine.simulation.cluster.FakeGroup;
import dev.lanekeeper.engine.simulation.cluster.FakeProducer;
import dev.lanekeeper.engine.simulation.cluster.FakeTransactionalProducer;
import dev.lanekeeper.engine.simulation.fate.Host;
import dev.lanekeeper.lanes.Pause;
import dev.lanekeeper.lanes.PauseMode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** How an engine is broken on purpose, to see that it is noticed: by what it is given. By default it isn't. */
interface Sabotage {
    Sabotage NONE = new Sabotage() {};

    default FakeConsumer consumer(FakeCluster cluster, FakeGroup group, Host host, int mostRecords) {
        return new FakeConsumer(cluster, group, host, mostRecords);
    }

    default FakeProducer producer(FakeCluster cluster, Host host) {
        return new FakeProducer(cluster, host);
    }

    default FakeTransactionalProducer transactional(FakeCluster cluster, Host host, String id) {
        return new FakeTransactionalProducer(cluster, host, id);
    }

    default AsyncHandler<String, String> handler(AsyncHandler<String, String> worker) {
        return worker;
    }

    default BatchHandler<String, String> batches(BatchHandler<String, String> worker) {
        return worker;
    }

    default LaneKeeperBuilder<String, String> settings(LaneKeeperBuilder<String, String> builder) {
        return builder;
    }

    default CompletableFuture<Pause> pause(SteppedEngine engine, PauseMode mode, Duration timeout) {
        return engine.pause(mode, timeout);
    }

    default CompletableFuture<Void> bulk(
            SteppedEngine engine, List<byte[]> keys, Supplier<CompletionStage<Void>> work) {
        return engine.bulk(keys, work);
    }

    /** Whether a task is left undone. */
    default boolean forgets() {
        return false;
    }
}
