/**
 * Proofs that a proxy lets through, holds and cuts as a test wants.
 *
 * <p>Start at {@code FaultProxyTest}. It must not know Kafka.
 */
@NullMarked
package dev.lanekeeper.testkit.network;

import org.jspecify.annotations.NullMarked;
