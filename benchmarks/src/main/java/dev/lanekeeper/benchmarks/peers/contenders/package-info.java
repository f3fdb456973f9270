/**
 * What is compared: each class consumes a topic, has a handler called for each record and commits. Start at {@link
 * dev.lanekeeper.benchmarks.peers.contenders.Contender}; the smallest is {@code BareConsumer}. Each runs its own threads.
 * Must not know what is measured.
 */
@NullMarked
package dev.lanekeeper.benchmarks.peers.contenders;

import org.jspecify.annotations.NullMarked;
