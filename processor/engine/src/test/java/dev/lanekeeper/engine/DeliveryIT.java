package dev.lanekeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.testkit.Seed;
import dev.lanekeeper.testkit.broker.KafkaFixture;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The promises on a broker, undisturbed: nothing lost, no duplicate, each customer in order and alone, all committed. */
@Timeout(120)
@ExtendWith(Seed.class)
class DeliveryIT {
    private static final int RECORDS = 6_000;
    private static final int CUSTOMERS = 150;

    @RegisterExtension
    static final KafkaFixture KAFKA = new KafkaFixture();

    @Test
    void blockingHandlers(Random random) {
        deliver(
                random,
                (traffic, builder) -> builder.concurrency(32).handler(delivery -> traffic.handle("one", delivery)));
    }

    @Test
    void asynchronousHandlersThatEndOutOfOrder(Random random) {
        deliver(
                random,
                (traffic, builder) ->
                        builder.concurrency(100).asyncHandler(delivery -> traffic.handleLater("one", delivery)));
    }

    /** Peer fault 13: a small buffer slows the source down and neither stops it nor reorders anything. */
    @Test
    void withABufferSmallerThanABatch(Random random) {
        deliver(
                random,
                (traffic, builder) -> builder.bufferRecords(60)
                        .consumerSettings(Map.of("max.poll.records", 50))
                        .asyncHandler(delivery -> traffic.handleLater("one", delivery)));
    }

    private static void deliver(
            Random random,
            BiFunction<Traffic, LaneKeeperBuilder<String, String>, LaneKeeperBuilder<String, String>> settings) {
        try (Traffic traffic = new Traffic(KAFKA, random, 5);
                LaneKeeper<String, String> keeper =
                        settings.apply(traffic, traffic.builder("one")).build()) {
            keeper.start();
            for (int i = 0; i < 6; i++) {
                traffic.send(RECORDS / 6, CUSTOMERS);
            }
            traffic.awaitAllHandled();
            traffic.awaitNoLag();
            keeper.close(Duration.ofSeconds(30));

            traffic.ledger().assertClean();
            assertThat(traffic.ledger().peakInProgress()).isGreaterThan(1);
            assertThat(committed(traffic.group)).isEqualTo(KAFKA.endOffsets(traffic.topic));
            assertThat(keeper.view().completed()).isEqualTo(RECORDS);
            assertThat(keeper.view().stale() + keeper.view().dead()).isZero();
        }
    }

    private static Map<TopicPartition, Long> committed(String group) {
        return KAFKA.committedOffsets(group).entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().offset()));
    }
}
