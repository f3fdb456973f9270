package dev.lanekeeper.benchmarks.peers.contenders;

import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * What a contender is given.
 *
 * @param bootstrap where the broker is
 * @param topic what to consume, from its beginning
 * @param group whose offsets to commit
 * @param partitions of the topic
 * @param concurrency the most handlers at once, for those who have threads
 * @param async whether to call {@link Work#handleAsync} in place of {@link Work#handle}, for those who can
 * @param work the handler
 */
public record Race(
        String bootstrap, String topic, String group, int partitions, int concurrency, boolean async, Work work) {
    /** The user's code; thread-safe. For each record one of the two is called. */
    public interface Work {
        /** Done when it returns. */
        void handle(byte[] value);

        /** Done when the future is. */
        CompletableFuture<?> handleAsync(byte[] value);
    }

    /** The consumer's settings, the same for all: Kafka's defaults but for these. Deserializers are each one's own. */
    public Map<String, Object> consumer() {
        return Map.of(
                "bootstrap.servers", bootstrap,
                "group.id", group,
                "enable.auto.commit", "false",
                "auto.offset.reset", "earliest",
                "session.timeout.ms", "6000",
                "heartbeat.interval.ms", "2000");
    }
}
