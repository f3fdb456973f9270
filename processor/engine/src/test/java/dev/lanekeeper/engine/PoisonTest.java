package dev.lanekeeper.engine;

import static dev.lanekeeper.engine.EngineRig.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.handler.Delivery;
import dev.lanekeeper.engine.handler.FailurePolicy;
import dev.lanekeeper.engine.handler.OnFailure;
import dev.lanekeeper.engine.handler.RetryPolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** PC f#119, f#487: half of all customers fail for ever while records keep coming; the others notice nothing of it. */
@Timeout(60)
class PoisonTest {
    private static final int CUSTOMERS = 400;
    private static final int ROUNDS = 20;
    private static final int ROUND = 200;

    @RegisterExtension
    final EngineRig rig = EngineRig.acknowledging();

    private final AtomicInteger healthy = new AtomicInteger();

    private CompletionStage<?> handle(Delivery<String, String> delivery) {
        if ("poison".equals(delivery.value())) {
            return CompletableFuture.failedFuture(new IOException("planned"));
        }
        healthy.incrementAndGet();
        return CompletableFuture.completedFuture(null);
    }

    /** Many times what the buffer holds; each round has to be through, as far as it is healthy, before the next comes. */
    private void steadySupply() {
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < ROUND; i++) {
                int customer = (round * ROUND + i) % CUSTOMERS;
                rig.send("c" + customer + (customer % 2 == 0 ? "=poison" : "=fine"));
            }
            int expected = (round + 1) * ROUND / 2;
            await().until(healthy::get, count -> count == expected);
        }
    }

    @Test
    void triedAgainForEverTheyUseUpNobodysBuffer() {
        LaneKeeper<String, String> keeper = rig.start(settings -> settings.bufferRecords(100)
                .concurrency(8)
                .retry(new RetryPolicy(Integer.MAX_VALUE, Duration.ofHours(1), Duration.ofHours(1), 0))
                .asyncHandler(this::handle));
        steadySupply();
        assertThat(keeper.view().failedAttempts())
                .isEqualTo(CUSTOMERS / 2); // one attempt for each, and its successors behind it
        await().until(() -> keeper.view().partitions().get(0).incomplete() == ROUNDS * ROUND / 2);
        await().until(() -> keeper.view().lanes().live() == CUSTOMERS / 2);
    }

    @Test
    void triedAgainQuicklyTheyDoNotEither() {
        rig.start(settings -> settings.bufferRecords(100)
                .concurrency(8)
                .retry(new RetryPolicy(Integer.MAX_VALUE, Duration.ofMillis(20), Duration.ofMillis(200), 0.5))
                .asyncHandler(this::handle));
        steadySupply();
    }

    @Test
    void parkedTheyHoldBackNothingAtAll() {
        LaneKeeper<String, String> keeper = rig.start(settings -> settings.bufferRecords(100)
                .failures(FailurePolicy.of(OnFailure.PARK_KEY))
                .parkedRecords(HistoryLog.TOPIC)
                .parkingLog(new HistoryLog(rig, 1))
                .asyncHandler(this::handle));
        steadySupply();
        rig.awaitCommitted((long) ROUNDS * ROUND);
        assertThat(keeper.view().parkedKeys()).hasSize(CUSTOMERS / 2);
        assertThat(keeper.view().parked()).isEqualTo((long) ROUNDS * ROUND / 2);
        await().until(() -> keeper.view().lanes().live() == 0);
    }
}
