/**
 * The engine beside what a team would have used in its place, over the same records on a real broker. Start at {@link
 * dev.lanekeeper.benchmarks.peers.PeersTable}, which runs on the main thread and starts a JVM for the broker and one for
 * each run; {@link dev.lanekeeper.benchmarks.peers.RunMain} is what happens inside one. Must not know how a contender
 * works.
 */
@NullMarked
package dev.lanekeeper.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
