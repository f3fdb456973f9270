package dev.lanekeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.handler.BatchLimit;
import dev.lanekeeper.engine.handler.RetryPolicy;
import dev.lanekeeper.testkit.Seed;
import dev.lanekeeper.testkit.broker.KafkaFixture;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The promises on a broker, with batches, every seventh of which fails before it has done anything. */
@Timeout(120)
@ExtendWith(Seed.class)
class BatchIT {
    private static final int RECORDS = 6_000;

    @RegisterExtension
    static final KafkaFixture KAFKA = new KafkaFixture();

    @Test
    void nothingIsLostOrDoubledAndEachCustomerIsInOrderAndAlone(Random random) {
        AtomicInteger calls = new AtomicInteger();
        AtomicInteger largest = new AtomicInteger();
        try (Traffic traffic = new Traffic(KAFKA, random, 5);
                LaneKeeper<String, String> keeper = traffic.builder("one")
                        .concurrency(8)
                        .retry(new RetryPolicy(3, Duration.ofMillis(1), Duration.ofMillis(1), 0))
                        .batchHandler(
                                batch -> {
                                    largest.accumulateAndGet(batch.size(), Math::max);
                                    if (calls.incrementAndGet() % 7 == 0
                                            && batch.get(0).attempt() < 3) {
                                        throw new IllegalStateException("planned");
                                    }
                                    batch.forEach(delivery -> traffic.handle("one", delivery));
                                },
                                BatchLimit.records(20))
                        .build()) {
            traffic.send(RECORDS, 40);
            keeper.start();
            traffic.awaitAllHandled();
            traffic.awaitNoLag();
            keeper.close(Duration.ofSeconds(30));

            traffic.ledger().assertClean();
            assertThat(keeper.view().completed()).isEqualTo(RECORDS);
            assertThat(keeper.view().failedAttempts()).isPositive();
            assertThat(keeper.view().dead() + keeper.view().stale()).isZero();
            assertThat(largest.get()).isBetween(2, 20);
            assertThat(calls.get()).isLessThan(RECORDS);
        }
    }
}
