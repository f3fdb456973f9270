package dev.lanekeeper.engine;

import static dev.lanekeeper.engine.EngineRig.P0;
import static dev.lanekeeper.engine.EngineRig.P1;
import static dev.lanekeeper.engine.EngineRig.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.testkit.KeyOrderLedger;
import dev.lanekeeper.testkit.Seed;
import dev.lanekeeper.testkit.SteppingExecutor;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Limits hold, and what they take is given back. */
@Timeout(60)
@ExtendWith(Seed.class)
class CapacityTest {
    @RegisterExtension
    final EngineRig rig = EngineRig.acknowledging();

    @Test
    void noMoreAsynchronousAttemptsThanTheConcurrency() {
        rig.start(settings -> settings.concurrency(2).asyncHandler(rig.puppet.async()));
        rig.send("a=0", "b=1", "c=2", "d=3");
        await().until(() -> rig.puppet.started().size() == 2);
        rig.awaitPasses(3);
        assertThat(rig.puppet.started()).hasSize(2);
        rig.puppet.started().get(0).finish();
        await().until(() -> rig.puppet.started().size() == 3);
        rig.awaitPasses(3);
        assertThat(rig.puppet.started()).hasSize(3);
    }

    @Test
    void noMoreBlockingAttemptsThanTheConcurrency() {
        rig.start(settings -> settings.concurrency(2).handler(rig.puppet.blocking()));
        rig.send("a=0", "b=1", "c=2");
        await().until(() -> rig.puppet.started().size() == 2);
        rig.awaitPasses(3);
        assertThat(rig.puppet.started()).hasSize(2);
        rig.puppet.started().get(0).finish();
        rig.puppet.run("2");
    }

    @Test
    void anExecutorOfTheUsersIsBoundByTheConcurrencyToo() {
        ExecutorService many = Executors.newCachedThreadPool();
        try {
            rig.start(settings -> settings.concurrency(2).executor(many).handler(rig.puppet.blocking()));
            rig.send("a=0", "b=1", "c=2");
            await().until(() -> rig.puppet.started().size() == 2);
            rig.awaitPasses(3);
            assertThat(rig.puppet.started()).hasSize(2);
            rig.puppet.started().get(0).finish();
            rig.puppet.run("2");
        } finally {
            rig.close();
            many.shutdown();
        }
        assertThat(many.isShutdown()).isTrue();
    }

    /** smallrye#3403 step by step: a record that is dropped after it was granted a permit hands it back. */
    @Test
    void aPermitGrantedToARecordThatIsDroppedThenIsNotLost() {
        SteppingExecutor steps = new SteppingExecutor();
        LaneKeeper<String, String> keeper =
                rig.start(settings -> settings.concurrency(1).executor(steps).asyncHandler(rig.puppet.async()));
        rig.consumer.assign(P1);
        rig.send("a=0");
        await().until(() -> keeper.view().polled() == 1);
        steps.runAll();
        Puppet.Run holder = rig.puppet.run("0");
        rig.consumer.append(P1, "b", "waits");
        await().until(() -> keeper.view().polled() == 2);
        steps.runAll(); // it finds no permit and waits in line
        holder.finish(); // hands the permit over; the waiting record is to be started again
        rig.consumer.revoke(P1); // and is dropped before that happens
        await().until(() -> keeper.view().partitions().size() == 1);
        steps.runAll();
        assertThat(rig.puppet.values()).containsExactly("0");

        rig.send("c=1");
        await().until(() -> keeper.view().polled() == 3);
        steps.runAll();
        assertThat(rig.puppet.values()).containsExactly("0", "1");
    }

    /** A record that is dropped while it waits in line is passed over. */
    @Test
    void aPermitIsNotGrantedToARecordThatWasDropped() {
        SteppingExecutor steps = new SteppingExecutor();
        LaneKeeper<String, String> keeper =
                rig.start(settings -> settings.concurrency(1).executor(steps).asyncHandler(rig.puppet.async()));
        rig.consumer.assign(P1);
        rig.send("a=0");
        await().until(() -> keeper.view().polled() == 1);
        steps.runAll();
        rig.consumer.append(P1, "b", "dropped");
        await().until(() -> keeper.view().polled() == 2);
        steps.runAll();
        rig.send("c=1");
        await().until(() -> keeper.view().polled() == 3);
        steps.runAll();
        rig.consumer.revoke(P1);
        await().until(() -> keeper.view().partitions().size() == 1);
        rig.puppet.run("0").finish();
        steps.runAll();
        assertThat(rig.puppet.values()).containsExactly("0", "1");
    }

    /** Peer fault 22 and edge case 59: an executor that refuses work neither loses a record nor lets one overtake. */
    @Test
    void anExecutorThatRefusesAtRandomLosesAndReordersNothing(Random random) {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        AtomicInteger refused = new AtomicInteger();
        KeyOrderLedger<String> ledger = new KeyOrderLedger<>();
        try {
            rig.start(settings -> settings.executor(task -> {
                        boolean full;
                        synchronized (random) {
                            full = random.nextInt(10) == 0;
                        }
                        if (full) {
                            refused.incrementAndGet();
                            throw new RejectedExecutionException("full");
                        }
                        pool.execute(task);
                    })
                    .results(result -> List.of())
                    .handler(delivery -> {
                        long position = delivery.record().offset();
                        ledger.started(String.valueOf(delivery.key()), position, "one");
                        ledger.ended(String.valueOf(delivery.key()), position, "one");
                    }));
            for (int i = 0; i < 2_000; i++) {
                String key = "c-" + i % 40;
                ledger.sent(key, i);
                rig.consumer.append(P0, key, "v");
            }
            rig.awaitCommitted(2_000);
            ledger.assertClean();
            assertThat(refused).hasPositiveValue();
        } finally {
            rig.close();
            pool.shutdown();
        }
    }

    /** As above where there is no thread to be had: what a pool throws then is no refusal, but comes to the same. */
    @Test
    void anExecutorThatFindsNoThreadLetsNoRecordOvertake() {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        AtomicInteger calls = new AtomicInteger();
        try {
            rig.start(settings -> settings.executor(task -> {
                        if (calls.incrementAndGet() == 1) {
                            throw new OutOfMemoryError("unable to create native thread: planned");
                        }
                        pool.execute(task);
                    })
                    .handler(rig.puppet.blocking()));
            rig.send("a=0");
            await().until(() -> calls.get() > 0);
            rig.send("a=1");
            await().until(() -> !rig.puppet.started().isEmpty());
            assertThat(rig.puppet.values()).containsExactly("0");
            rig.puppet.run("0").finish();
            rig.puppet.run("1").finish();
            rig.awaitCommitted(2);
        } finally {
            rig.close();
            pool.shutdown();
        }
    }

    /** PC#716: what is buffered stays bounded, and comes through all the same. */
    @Test
    void theBufferIsBoundedWhileNothingEnds() {
        LaneKeeper<String, String> keeper =
                rig.start(settings -> settings.bufferRecords(100).asyncHandler(rig.puppet.async()));
        for (int i = 0; i < 5_000; i++) {
            rig.consumer.append(P0, "k" + i, "" + i);
        }
        await().until(() -> keeper.view().partitions().stream().anyMatch(EngineView.PartitionView::throttled));
        rig.awaitPasses(10);
        assertThat(keeper.view().polled()).isBetween(100L, 600L);
        await().until(() -> {
            rig.puppet.finishAll();
            return rig.consumer.committedOffset(P0) == 5_000;
        });
        assertThat(keeper.view().partitions().get(0).throttled()).isFalse();
    }

    /** A hot partition has what the quiet one doesn't use, and the quiet one goes on at once when it wakes up. */
    @Test
    void aHotPartitionBorrowsAndAQuietOneGoesOn() {
        LaneKeeper<String, String> keeper =
                rig.start(settings -> settings.bufferRecords(2_000).asyncHandler(rig.puppet.async()));
        rig.consumer.assign(P1);
        for (int i = 0; i < 5_000; i++) {
            rig.consumer.append(P0, "hot", "stuck-" + i);
        }
        await().until(() -> keeper.view().partitions().stream().anyMatch(EngineView.PartitionView::throttled));
        rig.awaitPasses(3);
        assertThat(keeper.view().polled()).isBetween(1_500L, 2_500L);
        for (int i = 0; i < 300; i++) {
            rig.consumer.append(P1, "quiet", "" + i);
        }
        for (int i = 0; i < 300; i++) {
            rig.puppet.run("" + i).finish();
        }
        await().until(() -> rig.consumer.committedOffset(P1) == 300);
    }

    /** The loss that a throttled engine could cause when it was closed; see ThrottleTest for the steps. */
    @Test
    void aThrottledEngineThatIsClosedCommitsNothingItDidNotHandle() throws InterruptedException {
        LaneKeeper<String, String> keeper =
                rig.start(settings -> settings.bufferRecords(10).asyncHandler(rig.puppet.async()));
        rig.consumer.inPoll(() -> {
            for (int i = 0; i < 20; i++) {
                rig.consumer.append(P0, "k" + i, "" + i);
            }
        });
        await().until(() -> rig.puppet.started().size() == 20);
        for (int i = 20; i < 2_000; i++) {
            rig.consumer.append(P0, "k" + i, "" + i);
        }
        Thread closing = new Thread(() -> keeper.close(Duration.ofSeconds(20)));
        closing.start();
        await().until(() -> keeper.view().state() == EngineState.CLOSING);
        for (Puppet.Run run : rig.puppet.started()) {
            run.finish();
            rig.awaitSomePass();
        }
        closing.join();
        assertThat(rig.puppet.started()).hasSize(20);
        assertThat(rig.consumer.committedOffset(P0)).isEqualTo(20);
    }
}
