package dev.lanekeeper.engine.simulation;

import dev.lanekeeper.engine.LaneKeeperBuilder;
import dev.lanekeeper.engine.handler.AsyncHandler;
import dev.lanekeeper.engine.simulation.cluster.FakeCluster;
import dev.lanekeeper.engine.simulation.cluster.FakeConsumer;
import dev.lanekeeper.engine.simulation.cluster.FakeGroup;
import dev.lanekeeper.engine.simulation.cluster.FakeProducer;
import dev.lanekeeper.engine.simulation.fate.Host;

/** How an engine is broken on purpose, to see that it is noticed: by what it is given. By default it isn't. */
interface Sabotage {
    Sabotage NONE = new Sabotage() {};

    default FakeConsumer consumer(FakeCluster cluster, FakeGroup group, Host host, int mostRecords) {
        return new FakeConsumer(cluster, group, host, mostRecords);
    }

    default FakeProducer producer(FakeCluster cluster, Host host) {
        return new FakeProducer(cluster, host);
    }

    default AsyncHandler<String, String> handler(AsyncHandler<String, String> worker) {
        return worker;
    }

    default LaneKeeperBuilder<String, String> settings(LaneKeeperBuilder<String, String> builder) {
        return builder;
    }

    /** Whether a task is left undone. */
    default boolean forgets() {
        return false;
    }
}
