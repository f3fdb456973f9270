/**
 * A Kafka in memory: logs, a group's coordinator, and the two clients, on virtual time and with whatever may go wrong.
 *
 * <p>Start at {@code FakeCluster}. Confined to the simulation's thread. It knows Kafka's clients and must not know the engine;
 * {@code ClusterContract} holds it to what a real broker does.
 */
@NullMarked
package dev.lanekeeper.engine.simulation.cluster;

import org.jspecify.annotations.NullMarked;
