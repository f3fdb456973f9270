/**
 * What is sent: jobs of many customers in one seeded order, as a pure function of its settings. Start at {@link
 * dev.lanekeeper.simulator.workload.Workload}; an iterator is confined to the thread that walks it. Must not know Kafka.
 */
@NullMarked
package dev.lanekeeper.simulator.workload;

import org.jspecify.annotations.NullMarked;
