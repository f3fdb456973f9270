package dev.lanekeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.testkit.Seed;
import dev.lanekeeper.testkit.broker.KafkaFixture;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The same instance is taken all of its partitions and given them back, by a broker, hundreds of times while its handlers are
 * busy: PC#843, fork#178, fork#517, and PC#833 for the commits in between. ForcedRebalanceTest does it more often.
 */
@Timeout(180)
@ExtendWith(Seed.class)
class ForcedRebalanceIT {
    private static final int REBALANCES = 300;

    @RegisterExtension
    static final KafkaFixture KAFKA = new KafkaFixture();

    private final AtomicInteger asked = new AtomicInteger();

    /** Leaves and joins its group again at every second poll. */
    private final class Restless extends KafkaConsumer<byte[], byte[]> {
        private int polls;

        Restless(Map<String, Object> settings) {
            super(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        }

        @Override
        public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            if (polls++ % 2 == 1 && asked.get() < REBALANCES && !assignment().isEmpty()) {
                asked.incrementAndGet();
                enforceRebalance("planned");
            }
            return super.poll(timeout);
        }
    }

    @Test
    void partitionsThatComeBackHundredsOfTimesBreakNoOrder(Random random) {
        try (Traffic traffic = new Traffic(KAFKA, random, 6);
                LaneKeeper<String, String> keeper = traffic.builder("restless")
                        .consumer(() -> new Restless(consumerSettings(traffic.group)))
                        .commitInterval(Duration.ofMillis(5))
                        .drainTimeout(Duration.ofMillis(1))
                        .asyncHandler(delivery -> traffic.handleLater("restless", delivery))
                        .build()) {
            traffic.ledger().allowRedelivery();
            keeper.start();
            while (asked.get() < REBALANCES) {
                traffic.send(20, 40);
            }
            traffic.awaitAllHandled();
            traffic.awaitNoLag();
            traffic.ledger().assertClean();
            EngineView view = keeper.view();
            assertThat(view.partitions()).hasSize(6).allMatch(each -> each.epoch() >= REBALANCES);
            assertThat(view.stale()).as("runs that went on through a rebalance").isPositive();
            assertThat(view.lanes().live()).isZero();
            assertThat(view.state()).isEqualTo(EngineState.RUNNING);
        }
    }

    private static Map<String, Object> consumerSettings(String group) {
        Map<String, Object> settings = KAFKA.clientSettings();
        settings.put("group.id", group);
        settings.put("group.protocol", "classic");
        settings.put("partition.assignment.strategy", RangeAssignor.class.getName()); // gives everything up each time
        settings.put("enable.auto.commit", "false");
        settings.put("auto.offset.reset", "earliest");
        return settings;
    }
}
