package dev.lanekeeper.engine;

import static dev.lanekeeper.engine.EngineRig.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.testkit.KeyOrderLedger;
import dev.lanekeeper.testkit.Seed;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The first promise: one customer's records one at a time and in order, others in parallel, and commits behind them. */
@Timeout(60)
@ExtendWith(Seed.class)
class OrderAndCommitTest {
    @RegisterExtension
    final EngineRig rig = EngineRig.acknowledging();

    @Test
    void theCommitStopsAtTheLowestThatStillRuns() {
        rig.startBlocking();
        rig.send("a=0", "b=1", "c=2");
        rig.puppet.run("2").finish();
        rig.puppet.run("1").finish();
        await().until(() -> rig.puppet.started().size() == 3);
        rig.awaitCommitted(0);
        rig.puppet.run("0").finish();
        rig.awaitCommitted(3);
        assertThat(rig.consumer.commits())
                .allSatisfy(commit -> assertThat(commit)
                        .hasEntrySatisfying(
                                EngineRig.P0,
                                offset -> assertThat(offset.offset()).isIn(0L, 3L)));
    }

    @Test
    void aSuccessorStartsOnlyWhenItsPredecessorHasEnded() {
        rig.startAsync();
        rig.send("a=0", "a=1", "b=2");
        rig.puppet.run("2").finish();
        rig.awaitPasses(3);
        assertThat(rig.puppet.values()).containsExactlyInAnyOrder("0", "2");
        rig.puppet.run("0").finish();
        rig.puppet.run("1").finish();
        rig.awaitCommitted(3);
    }

    /** PC#184, PC#318: the same key in two partitions is one customer; their order among each other is of arrival. */
    @Test
    void aCustomerInTwoPartitionsHasOneLane() {
        rig.startAsync();
        rig.consumer.assign(EngineRig.P1);
        rig.send("a=0");
        rig.puppet.run("0");
        rig.consumer.append(EngineRig.P1, "a", "1");
        rig.consumer.append(EngineRig.P1, "b", "2");
        rig.puppet.run("2");
        assertThat(rig.puppet.values()).doesNotContain("1");
        rig.puppet.run("0").finish();
        rig.puppet.run("1");
    }

    /** PC#579: equal bytes are the same key, whatever array they are in. Edge case 2: an empty key is a key. */
    @Test
    void bytesAreTheIdentityOfAKeyAndAnEmptyOneIsOne() {
        rig.startAsync();
        rig.consumer.appendBytes(EngineRig.P0, new byte[0], new byte[] {'0'});
        rig.consumer.appendBytes(EngineRig.P0, new byte[0], new byte[] {'1'});
        rig.consumer.appendBytes(EngineRig.P0, new byte[] {'A'}, new byte[] {'2'});
        rig.consumer.appendBytes(EngineRig.P0, new byte[] {'a'}, new byte[] {'3'});
        rig.puppet.run("3");
        rig.puppet.run("2");
        assertThat(rig.puppet.values()).doesNotContain("1");
        assertThat(rig.puppet.run("0").delivery().key()).isEmpty();
        rig.puppet.run("0").finish();
        rig.puppet.run("1");
    }

    /** Edge case 3. */
    @Test
    void aTombstoneIsHandledLikeAnyOther() {
        rig.startAsync();
        rig.consumer.append(EngineRig.P0, "a", null);
        Puppet.Run run = rig.puppet.run("null");
        assertThat(run.delivery().value()).isNull();
        run.finish();
        rig.awaitCommitted(1);
    }

    @Test
    void aLaneKeyOfTheUsersMakesTheLanes() {
        rig.start(settings ->
                settings.asyncHandler(rig.puppet.async()).laneKey(record -> new byte[] {record.value()[0]}));
        rig.send("a=x0", "b=x1", "c=y2");
        rig.puppet.run("y2");
        rig.awaitPasses(2);
        assertThat(rig.puppet.values()).doesNotContain("x1");
        rig.puppet.run("x0").finish();
        rig.puppet.run("x1");
    }

    /** The view tells what is going on: peer fault decaton#266, figures that nobody ever compared. */
    @Test
    void theViewCountsWhatHappened() {
        LaneKeeper<String, String> keeper = rig.startAsync();
        rig.send("a=0", "a=1", "b=2");
        rig.puppet.run("0");
        rig.puppet.run("2").finish();
        await().until(() -> keeper.view().completed() == 1);
        EngineView view = keeper.view();
        assertThat(view.state()).isEqualTo(EngineState.RUNNING);
        assertThat(view.polled()).isEqualTo(3);
        assertThat(view.inFlight()).isEqualTo(1);
        assertThat(view.queued()).isEqualTo(1);
        assertThat(view.lanes().live()).isEqualTo(1);
        await().until(() -> view.partitions().get(0).mapBytes() > 0); // of 2, which is done ahead
        int mapBytes = view.partitions().get(0).mapBytes();
        assertThat(view.partitions())
                .containsExactly(new EngineView.PartitionView(EngineRig.P0, 1, 0, 2, mapBytes, false));
        rig.puppet.run("0").finish();
        rig.puppet.run("1").finish();
        await().until(() -> view.completed() == 3);
        await().until(() -> view.lanes().live() == 0);
        assertThat(view.failedAttempts() + view.dead() + view.stale() + view.late() + view.abandoned())
                .isZero();
    }

    @Test
    void manyCustomersWithBlockingHandlers(Random random) {
        KeyOrderLedger<String> ledger = new KeyOrderLedger<>();
        rig.start(settings -> settings.concurrency(16).handler(delivery -> {
            long position = delivery.record().offset();
            ledger.started(String.valueOf(delivery.key()), position, "one");
            ledger.ended(String.valueOf(delivery.key()), position, "one");
        }));
        sendMany(ledger, random, 20_000, 300);
        rig.awaitCommitted(20_000);
        ledger.assertClean();
    }

    @Test
    void manyCustomersWithStagesThatCompleteOnOtherThreadsOutOfOrder(Random random) {
        KeyOrderLedger<String> ledger = new KeyOrderLedger<>();
        ExecutorService elsewhere = Executors.newFixedThreadPool(3);
        try {
            rig.start(settings -> settings.concurrency(64).asyncHandler(delivery -> {
                long position = delivery.record().offset();
                ledger.started(String.valueOf(delivery.key()), position, "one");
                return CompletableFuture.runAsync(
                        () -> ledger.ended(String.valueOf(delivery.key()), position, "one"), elsewhere);
            }));
            sendMany(ledger, random, 20_000, 300);
            rig.awaitCommitted(20_000);
            ledger.assertClean();
            assertThat(ledger.peakInProgress()).isGreaterThan(1);
        } finally {
            elsewhere.shutdown();
        }
    }

    /** pekko#2899 and msgraph#71: stages that are complete already, on one lane: neither skipped nor a deep stack. */
    @Test
    void aHundredThousandCompletedStagesOnOneLane() {
        AtomicInteger handled = new AtomicInteger();
        rig.start(settings -> settings.asyncHandler(delivery -> {
            handled.incrementAndGet();
            return CompletableFuture.completedFuture(null);
        }));
        for (int i = 0; i < 100_000; i++) {
            rig.consumer.append(EngineRig.P0, "a", "v");
        }
        rig.awaitCommitted(100_000);
        assertThat(handled).hasValue(100_000);
    }

    private void sendMany(KeyOrderLedger<String> ledger, Random random, int records, int customers) {
        for (int i = 0; i < records; i++) {
            String key = "c-" + random.nextInt(customers);
            ledger.sent(key, i);
            rig.consumer.append(EngineRig.P0, key, "v");
        }
    }
}
