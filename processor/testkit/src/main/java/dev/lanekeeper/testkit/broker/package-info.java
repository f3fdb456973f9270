/**
 * A Kafka to test against, and to try things with where there is neither Docker nor a cluster.
 *
 * <p>Start at {@link dev.lanekeeper.testkit.broker.KafkaFixture} in a test, at {@link
 * dev.lanekeeper.testkit.broker.EmbeddedKafka} anywhere else. Called from tests and from a command's main thread; the
 * broker's own threads never call back. It must not know the engine, nor need JUnit or Testcontainers to start a broker.
 */
@NullMarked
package dev.lanekeeper.testkit.broker;

import org.jspecify.annotations.NullMarked;
