/**
 * The JSON values that travel between the parts, and the one codec that reads and writes them.
 *
 * <p>Start at {@link dev.lanekeeper.message.MessageCodec}. Everything here is immutable or thread-safe, and is called
 * from any thread. This package must not know Kafka, files or HTTP: it maps bytes to values and back.
 */
@NullMarked
package dev.lanekeeper.message;

import org.jspecify.annotations.NullMarked;
