/**
 * Faults of a network, on loopback: what neither a killed process nor a stopped broker can stand for.
 *
 * <p>Start at {@link dev.lanekeeper.testkit.network.FaultProxy}. Called from the test's threads; a proxy has two threads per
 * connection. It must not know what travels through it.
 */
@NullMarked
package dev.lanekeeper.testkit.network;

import org.jspecify.annotations.NullMarked;
