package dev.lanekeeper.engine;

import static dev.lanekeeper.engine.EngineRig.P0;
import static dev.lanekeeper.engine.EngineRig.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.handler.BatchLimit;
import dev.lanekeeper.engine.handler.RetryPolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What becomes of a batch whose partition is taken away, or whose engine is closed. */
@Timeout(60)
class BatchRevocationTest {
    private static final RetryPolicy IN_AN_HOUR = new RetryPolicy(5, Duration.ofHours(1), Duration.ofHours(1), 0);

    @RegisterExtension
    final EngineRig rig = EngineRig.acknowledging();

    private final BatchPuppet puppet = new BatchPuppet(rig);

    @AfterEach
    void finishAll() {
        puppet.finishAll();
    }

    /** Records 1 and 2 are with the handler, 3 waits behind them. */
    private LaneKeeper<String, String> running(UnaryOperator<LaneKeeperBuilder<String, String>> settings) {
        LaneKeeper<String, String> keeper =
                rig.start(builder -> settings.apply(builder.batchHandler(puppet.handler(), BatchLimit.records(2))));
        puppet.holding(keeper, "a=1", "a=2", "a=3").finish();
        puppet.run("1", "2");
        rig.awaitCommitted(1);
        return keeper;
    }

    @Test
    void allOfItIsWaitedForAndCommittedAndWhatWaitsIsDropped() {
        LaneKeeper<String, String> keeper = running(settings -> settings);
        CountDownLatch revoked = rig.revoke();
        assertThat(revoked.getCount()).isEqualTo(1);
        puppet.run("1", "2").finish();
        await().until(() -> revoked.getCount() == 0);
        assertThat(rig.consumer.committedOffset(P0)).isEqualTo(3);
        await().until(() -> keeper.view().lanes().live() == 0);
        assertThat(keeper.view().abandoned()).isZero();
        assertThat(puppet.batches()).hasSize(2);
    }

    @Test
    void aBatchThatFailsDuringTheRevocationIsNotTriedAgain() {
        LaneKeeper<String, String> keeper = running(settings -> settings.retry(RetryPolicy.never()));
        CountDownLatch revoked = rig.revoke();
        puppet.run("1", "2").fail(new IOException("planned"));
        await().until(() -> revoked.getCount() == 0);
        assertThat(rig.consumer.committedOffset(P0)).isEqualTo(1);
        await().until(() -> keeper.view().lanes().live() == 0);
        assertThat(keeper.view().abandoned()).isZero();
        assertThat(puppet.batches()).hasSize(2);
        assertThat(rig.sent("dead")).isEmpty();
    }

    @Test
    void aBatchThatWaitsForItsRetryIsDroppedAtOnceAndComesAgainAsOne() {
        LaneKeeper<String, String> keeper = running(settings -> settings.retry(IN_AN_HOUR));
        puppet.run("1", "2").fail(new IOException("planned"));
        await().until(() -> keeper.view().failedAttempts() == 1);
        rig.awaitPasses(2);
        rig.consumer.revokeAndReturn(P0);
        await().until(() -> puppet.batches().size() >= 3);
        await().until(() -> {
            puppet.finishAll();
            return rig.consumer.committedOffset(P0) == 4;
        });
        assertThat(keeper.view().abandoned()).isZero();
        List<String> again =
                puppet.batches().stream().skip(2).flatMap(List::stream).toList();
        assertThat(again).containsExactly("1", "2", "3");
        assertThat(puppet.started().get(2).attempts().get(0)).isEqualTo(1);
    }

    @Test
    void aBatchThatHangsIsGivenUpAndHoldsItsLane() {
        LaneKeeper<String, String> keeper = running(settings -> settings.drainTimeout(Duration.ZERO));
        BatchPuppet.Run old = puppet.run("1", "2").emit();
        rig.consumer.revokeAndReturn(P0);
        await().until(() -> keeper.view().polled() == 7);
        rig.awaitPasses(2);
        assertThat(keeper.view().abandoned()).isEqualTo(2);
        assertThat(puppet.batches()).hasSize(2);
        old.finish();
        BatchPuppet.Run again = puppet.run(1, "1", "2");
        assertThat(again.batch().get(0).epoch())
                .isGreaterThan(old.batch().get(0).epoch());
        assertThat(rig.sent("out")).isEmpty();
        again.finish();
        puppet.run("3").finish();
        rig.awaitCommitted(4);
    }

    @Test
    void aCloseWaitsForItAndCommitsAllOfIt() {
        LaneKeeper<String, String> keeper = running(settings -> settings);
        CountDownLatch closing = new CountDownLatch(1);
        Thread closer = new Thread(() -> {
            closing.countDown();
            keeper.close(Duration.ofSeconds(20));
        });
        closer.start();
        await().until(() -> closing.getCount() == 0);
        await().until(() -> keeper.view().state() != EngineState.RUNNING);
        rig.consumer.inPoll(() -> {});
        puppet.run("1", "2").finish();
        await().until(() -> !closer.isAlive());
        assertThat(rig.consumer.committedOffset(P0)).isEqualTo(3);
        assertThat(puppet.batches()).hasSize(2);
    }

    @Test
    void aCloseInterruptsOneThatHangsAndCommitsNothingOfIt() {
        LaneKeeper<String, String> keeper = running(settings -> settings);
        rig.consumer.inPoll(() -> {});
        keeper.close(Duration.ofMillis(200));
        assertThat(rig.consumer.committedOffset(P0)).isEqualTo(1);
        assertThat(puppet.batches()).hasSize(2);
        await().until(() -> keeper.view().lanes().live() == 0);
    }
}
