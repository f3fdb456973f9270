package dev.lanekeeper.engine;

import static dev.lanekeeper.engine.EngineRig.P0;
import static dev.lanekeeper.engine.EngineRig.P1;
import static dev.lanekeeper.engine.EngineRig.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.handler.Delivery;
import dev.lanekeeper.testkit.KeyOrderLedger;
import dev.lanekeeper.testkit.Seed;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * More than a thousand rebalances while handlers are busy: partitions that are revoked and come straight back, that are lost,
 * that are taken away before anything of them was read. PC#843, fork#178, fork#517 (two runs of a customer at once), PC#547,
 * PC#606 (what was in flight is never given back), PC#757 (revoked at once), PC#618, PC#821 (looking on throws).
 */
@Timeout(120)
@ExtendWith(Seed.class)
class ForcedRebalanceTest {
    private static final int REBALANCES = 1_200;
    private static final int CUSTOMERS = 12;
    private static final int CONCURRENCY = 6;

    @RegisterExtension
    final EngineRig rig = EngineRig.acknowledging();

    private final KeyOrderLedger<String> ledger = new KeyOrderLedger<>();
    private final ScheduledThreadPoolExecutor elsewhere = new ScheduledThreadPoolExecutor(2);
    private final CountDownLatch done = new CountDownLatch(1);

    /** Ends up to 3 ms later on another thread; with the value {@code hold}, when told to. */
    private CompletionStage<?> handle(Delivery<String, String> delivery) throws Exception {
        if ("hold".equals(delivery.value())) {
            return rig.puppet.async().handle(delivery);
        }
        String key = String.valueOf(delivery.key());
        long position = delivery.record().offset();
        String life = "epoch " + delivery.epoch();
        ledger.started(key, position, life);
        CompletableFuture<Void> end = new CompletableFuture<>();
        Runnable finish = () -> {
            ledger.ended(key, position, life);
            end.complete(null);
        };
        var unused = elsewhere.schedule(finish, position * 7 % 4, TimeUnit.MILLISECONDS);
        return end;
    }

    /** With no time to wait for what runs, and with some. */
    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void aThousandRebalancesBreakNothingAndLeaveNothing(int drainMillis, Random random) throws InterruptedException {
        ledger.allowRedelivery();
        LaneKeeper<String, String> keeper = rig.start(settings -> settings.concurrency(CONCURRENCY)
                .drainTimeout(Duration.ofMillis(drainMillis))
                .asyncHandler(this::handle));
        rig.consumer.assign(P1);
        AtomicBoolean impossible = new AtomicBoolean();
        Thread watcher = new Thread(() -> watch(keeper.view(), impossible));
        watcher.start();
        try {
            for (int i = 0; i < REBALANCES; i++) {
                send(P0, "a", random);
                send(P1, "b", random);
                rebalance(random);
                pass();
            }
            await().until(() ->
                    rig.consumer.committedOffset(P0) == REBALANCES && rig.consumer.committedOffset(P1) == REBALANCES);
        } finally {
            done.countDown();
            watcher.join();
            elsewhere.shutdown();
        }
        ledger.assertClean();
        EngineView view = keeper.view();
        assertThat(impossible).isFalse();
        assertThat(view.stale()).as("ends that came too late").isPositive();
        assertThat(ledger.peakInProgress()).isBetween(2, CONCURRENCY);
        await().until(() -> view.lanes().live() == 0);
        assertThat(view.inFlight() + view.queued()).isZero();
        assertThat(view.partitions()).hasSize(2).allMatch(partition -> partition.incomplete() == 0);
        allCapacityIsThere();
    }

    private void send(TopicPartition partition, String prefix, Random random) {
        String key = prefix + random.nextInt(CUSTOMERS);
        ledger.sent(key, rig.consumer.append(partition, key, "v"));
    }

    private void rebalance(Random random) {
        switch (random.nextInt(8)) {
            case 0 -> {
                rig.consumer.lose(P0);
                rig.consumer.assign(P0);
            }
            case 1 -> {
                rig.consumer.revoke(P1);
                rig.consumer.assign(P1);
            }
            case 2 ->
                rig.consumer.together(
                        () -> { // gone before anything of it was read
                            rig.consumer.revoke(P0, P1);
                            rig.consumer.assign(P1);
                            rig.consumer.revoke(P1);
                            rig.consumer.assign(P0, P1);
                        });
            default -> rig.consumer.revokeAndReturn(P0, P1);
        }
    }

    private void pass() throws InterruptedException {
        CountDownLatch passed = new CountDownLatch(1);
        rig.consumer.inPoll(passed::countDown);
        assertThat(passed.await(20, TimeUnit.SECONDS)).isTrue();
    }

    /** Looks at everything there is to see, and whether it can be. */
    private void watch(EngineView view, AtomicBoolean impossible) {
        while (done.getCount() > 0) {
            boolean fine = view.inFlight() >= 0
                    && view.queued() >= 0
                    && view.lanes().live() >= 0
                    && view.partitions().stream().allMatch(partition -> partition.incomplete() >= 0)
                    && view.stoppedPartitions().isEmpty();
            if (!fine) {
                impossible.set(true);
            }
        }
    }

    /** As many at once as at the beginning. */
    private void allCapacityIsThere() {
        for (int i = 0; i < CONCURRENCY; i++) {
            rig.consumer.append(P0, "c" + i, "hold");
        }
        await().until(() -> rig.puppet.started().size() == CONCURRENCY);
    }
}
