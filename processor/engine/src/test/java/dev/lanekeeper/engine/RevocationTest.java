package dev.lanekeeper.engine;

import static dev.lanekeeper.engine.EngineRig.P0;
import static dev.lanekeeper.engine.EngineRig.P1;
import static dev.lanekeeper.engine.EngineRig.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.handler.RetryPolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What becomes of records whose partition is taken away (edge cases 25, 31, 44 and 51). */
@Timeout(60)
class RevocationTest {
    @RegisterExtension
    final EngineRig rig = EngineRig.acknowledging();

    /** PC#777, PC#826: waits for what runs, drops what waits, and commits the first and not the second. */
    @Test
    void whatRunsIsWaitedForAndCommittedAndWhatWaitsIsDropped() {
        LaneKeeper<String, String> keeper = rig.startBlocking();
        rig.send("a=0", "a=1", "b=2");
        Puppet.Run first = rig.puppet.run("0");
        Puppet.Run other = rig.puppet.run("2");
        CountDownLatch revoked = rig.revoke();
        other.finish();
        await().until(() -> keeper.view().completed() == 1);
        assertThat(revoked.getCount()).isEqualTo(1);
        first.finish();
        await().until(() -> revoked.getCount() == 0);
        assertThat(rig.consumer.committedOffset(P0)).isEqualTo(1); // 0 is done, 1 was dropped, 2 comes again
        assertThat(rig.puppet.values()).containsExactlyInAnyOrder("0", "2");
        assertThat(keeper.view().abandoned()).isZero();
        await().until(() -> keeper.view().lanes().live() == 0);
    }

    /** PC#777, edge case 19: a handler that hangs holds the group up for no longer than it may. */
    @Test
    void aHandlerThatHangsIsGivenUpAndItsResultIsDropped() {
        LaneKeeper<String, String> keeper = rig.start(
                settings -> settings.drainTimeout(Duration.ofMillis(50)).asyncHandler(rig.puppet.async()));
        rig.send("a=0");
        Puppet.Run hanging = rig.puppet.run("0");
        hanging.delivery().emit(new ProducerRecord<>("out", "zombie".getBytes(UTF_8)));
        CountDownLatch revoked = rig.revoke();
        await().until(() -> revoked.getCount() == 0);
        assertThat(keeper.view().abandoned()).isEqualTo(1);
        hanging.finish();
        await().until(() -> keeper.view().stale() == 1);
        assertThat(keeper.view().completed()).isZero();
        assertThat(rig.producer().history()).isEmpty();
        assertThat(rig.consumer.committedOffset(P0)).isNotPositive();
    }

    /** PC#843, PC f#178: the partition comes back while a record of the key still runs. Most relevant to lanes. */
    @Test
    void aPartitionThatReturnsWaitsInTheLaneForTheOldRun() {
        LaneKeeper<String, String> keeper =
                rig.start(settings -> settings.drainTimeout(Duration.ZERO).asyncHandler(rig.puppet.async()));
        rig.send("a=0", "b=1");
        Puppet.Run old = rig.puppet.run("0");
        Puppet.Run oldOther = rig.puppet.run("1");
        rig.consumer.revokeAndReturn(P0);
        await().until(() -> keeper.view().polled() == 4);
        oldOther.finish();
        rig.puppet.run("1", 1).finish(); // another key does not wait for this one
        rig.awaitPasses(3);
        assertThat(rig.puppet.values()).containsExactlyInAnyOrder("0", "1", "1");

        old.finish();
        Puppet.Run again = rig.puppet.run("0", 1);
        assertThat(again.delivery().epoch()).isGreaterThan(old.delivery().epoch());
        assertThat(again.delivery().attempt()).isEqualTo(1);
        await().until(() -> keeper.view().stale() == 2);
        assertThat(rig.consumer.committedOffset(P0)).isNotPositive();
        again.finish();
        rig.awaitCommitted(2);
    }

    @Test
    void aBlockingHandlerOfBeforeHoldsItsLaneToo() {
        rig.start(settings -> settings.drainTimeout(Duration.ZERO).handler(rig.puppet.blocking()));
        rig.send("a=0");
        Puppet.Run old = rig.puppet.run("0");
        rig.consumer.revokeAndReturn(P0);
        rig.awaitPasses(3);
        assertThat(rig.puppet.started()).hasSize(1);
        old.finish();
        rig.puppet.run("0", 1).finish();
        rig.awaitCommitted(1);
    }

    /** Edge case 51: another consumer may own it, so nothing is committed and nothing produced. */
    @Test
    void ofALostPartitionNothingIsCommittedOrProduced() {
        LaneKeeper<String, String> keeper = rig.startAsync();
        rig.send("a=0", "b=1");
        Puppet.Run run = rig.puppet.run("0");
        rig.puppet.run("1");
        run.delivery().emit(new ProducerRecord<>("out", "zombie".getBytes(UTF_8)));
        rig.consumer.together(() -> {
            rig.consumer.inPoll(() -> rig.puppet.run("1").finish()); // done, but not noted before the loss
            rig.consumer.lose(P0);
        });
        await().until(() -> keeper.view().partitions().isEmpty());
        run.finish();
        await().until(() -> keeper.view().stale() == 2);
        rig.awaitPasses(3);
        assertThat(rig.consumer.committedOffset(P0)).isNotPositive();
        assertThat(rig.producer().history()).isEmpty();
        assertThat(keeper.view().completed()).isZero();
    }

    /** smallrye#3403, PC#547: whatever was dropped gives back what it held, over many rebalances. */
    @Test
    void capacityIsWholeAgainAfterManyRebalances() {
        LaneKeeper<String, String> keeper = rig.start(
                settings -> settings.concurrency(2).drainTimeout(Duration.ZERO).asyncHandler(rig.puppet.async()));
        for (int round = 0; round < 50; round++) {
            rig.send("a=x", "b" + round + "=x", "c" + round + "=x", "d=x");
            rig.puppet.finishAll(); // some of these end late, some in time, some waiters are granted a permit just now
            rig.consumer.revokeAndReturn(P0);
            rig.awaitPasses(1);
        }
        await().until(() -> {
            rig.puppet.finishAll();
            return rig.consumer.committedOffset(P0) == 200;
        });
        await().until(() -> keeper.view().lanes().live() == 0);
        assertThat(keeper.view().stale()).isPositive(); // there was something to lose
        rig.send("x=first", "y=second");
        rig.puppet.run("first");
        rig.puppet.run("second"); // both at once: both permits are there
    }

    @Test
    void aRecordThatWaitsForItsRetryIsDroppedAtOnce() {
        LaneKeeper<String, String> keeper =
                rig.start(settings -> settings.retry(new RetryPolicy(5, Duration.ofHours(1), Duration.ofHours(1), 0))
                        .asyncHandler(rig.puppet.async()));
        rig.send("a=0", "a=1");
        rig.puppet.run("0").fail(new IOException("planned"));
        await().until(() -> keeper.view().failedAttempts() == 1);
        rig.consumer.revokeAndReturn(P0);
        rig.puppet.run("0", 1).finish(); // its lane was freed: the second assignment does not wait an hour
        rig.puppet.run("1").finish();
        rig.awaitCommitted(2);
    }

    /**
     * Dropping a record frees its lane, and the next in line may get there before it is dropped itself: it must not be
     * handled ahead of the one before it.
     */
    @Test
    void theSuccessorOfADroppedRecordDoesNotSlipIn() {
        ExecutorService pool = Executors.newCachedThreadPool();
        Executor quick = task -> { // done before whoever hands it over goes on: the poll thread, as it drops
            if (Thread.currentThread().getName().endsWith("-poll")) {
                CompletableFuture.runAsync(task, pool).join();
            } else {
                pool.execute(task);
            }
        };
        try {
            LaneKeeper<String, String> keeper = rig.start(settings -> settings.executor(quick)
                    .retry(new RetryPolicy(5, Duration.ofHours(1), Duration.ofHours(1), 0))
                    .drainTimeout(Duration.ZERO)
                    .asyncHandler(rig.puppet.async()));
            rig.send("a=0", "a=1", "a=2");
            rig.puppet.run("0").fail(new IOException("planned"));
            await().until(() -> keeper.view().failedAttempts() == 1);
            rig.awaitPasses(2);
            CountDownLatch revoked = rig.revoke();
            await().until(() -> revoked.getCount() == 0);
            await().until(() -> keeper.view().lanes().live() == 0);
            assertThat(rig.puppet.values()).containsExactly("0");
            assertThat(keeper.view().abandoned()).isZero();
        } finally {
            rig.close();
            pool.shutdown();
        }
    }

    @Test
    void aHandlerThatFailsDuringTheRevocationIsNotTriedAgain() {
        LaneKeeper<String, String> keeper = rig.startAsync();
        rig.send("a=0");
        Puppet.Run run = rig.puppet.run("0");
        CountDownLatch revoked = rig.revoke();
        run.fail(new IOException("planned"));
        await().until(() -> revoked.getCount() == 0);
        assertThat(rig.puppet.started()).hasSize(1);
        assertThat(rig.sent("dead")).isEmpty();
        assertThat(rig.consumer.committedOffset(P0)).isNotPositive();
        assertThat(keeper.view().abandoned()).isZero();
    }

    @Test
    void theLanesOfOtherPartitionsAreNotWaitedFor() {
        LaneKeeper<String, String> keeper = rig.startAsync();
        rig.consumer.assign(P1);
        rig.consumer.append(P1, "z", "other");
        rig.puppet.run("other");
        CountDownLatch revoked = rig.revoke();
        await().until(() -> revoked.getCount() == 0);
        rig.puppet.run("other").finish();
        await().until(() -> rig.consumer.committedOffset(P1) == 1);
        assertThat(keeper.view().stale()).isZero();
    }

    /** PC#857, peer fault 16: the callback waits for a worker that calls back into the engine. */
    @Test
    void aHandlerThatAsksTheViewDuringARevocationIsNoDeadlock() {
        CountDownLatch mayEnd = new CountDownLatch(1);
        LaneKeeper<?, ?>[] keeper = new LaneKeeper<?, ?>[1];
        keeper[0] = rig.start(settings -> settings.handler(delivery -> {
            mayEnd.await();
            assertThat(keeper[0].view().partitions()).isNotNull();
            assertThat(keeper[0].view().inFlight()).isPositive();
        }));
        rig.send("a=0");
        await().until(() -> keeper[0].view().inFlight() == 1);
        CountDownLatch revoked = rig.revoke();
        mayEnd.countDown();
        await().until(() -> revoked.getCount() == 0);
        assertThat(rig.consumer.committedOffset(P0)).isEqualTo(1);
    }
}
