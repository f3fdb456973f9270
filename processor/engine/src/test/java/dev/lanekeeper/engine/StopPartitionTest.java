package dev.lanekeeper.engine;

import static dev.lanekeeper.engine.EngineRig.P0;
import static dev.lanekeeper.engine.EngineRig.P1;
import static dev.lanekeeper.engine.EngineRig.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.handler.FailurePolicy;
import dev.lanekeeper.engine.handler.FailurePolicy.Verdict;
import dev.lanekeeper.engine.handler.OnFailure;
import dev.lanekeeper.engine.handler.RetryPolicy;
import java.io.IOException;
import java.io.Serial;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A partition that is stopped stands still and says where; everything else goes on; it can be had to go on. */
@Timeout(60)
class StopPartitionTest {
    @RegisterExtension
    final EngineRig rig = EngineRig.acknowledging();

    private LaneKeeper<String, String> start() {
        LaneKeeper<String, String> keeper = rig.start(settings -> settings.retry(RetryPolicy.never())
                .concurrency(4)
                .failures(FailurePolicy.of(OnFailure.STOP_PARTITION).when(Terminated.class, Verdict.DEAD_LETTER))
                .asyncHandler(rig.puppet.async()));
        rig.consumer.assign(P1);
        return keeper;
    }

    private LaneKeeper<String, String> stopped() {
        LaneKeeper<String, String> keeper = start();
        rig.send("a=0", "a=bad", "a=2");
        rig.puppet.run("0").finish();
        rig.puppet.run("bad").fail(new IOException("planned"));
        await().until(() -> keeper.view().stoppedPartitions().size() == 1);
        return keeper;
    }

    @Test
    void nothingOfThePartitionStartsAndItIsNotCommittedBeyondTheRecord() {
        LaneKeeper<String, String> keeper = stopped();
        rig.awaitCommitted(1);
        for (int i = 0; i < 10; i++) { // more customers than the concurrency
            rig.send("c" + i + "=3");
        }
        rig.consumer.append(P1, "z", "other");
        rig.puppet.run("other").finish();
        rig.awaitPasses(3);
        assertThat(rig.puppet.values()).doesNotContain("2", "3");
        assertThat(rig.consumer.committedOffset(P0)).isEqualTo(1);
        assertThat(rig.sent("dead")).isEmpty();
        EngineView.StoppedPartition stop = keeper.view().stoppedPartitions().get(0);
        assertThat(stop.topicPartition()).isEqualTo(P0);
        assertThat(stop.offset()).isEqualTo(1);
        assertThat(stop.cause()).isEqualTo("java.io.IOException: planned");
        assertThat(keeper.view().state()).isEqualTo(EngineState.RUNNING);
    }

    @Test
    void itStopsFetchingTooWhateverRoomThereIs() {
        LaneKeeper<String, String> keeper = stopped();
        rig.send("b=3");
        await().until(() -> rig.consumer.paused().contains(P0));
        long polled = keeper.view().polled();
        rig.send("b=4");
        rig.awaitPasses(3);
        assertThat(keeper.view().polled()).isEqualTo(polled);
        keeper.resumePartition(P0);
        await().until(() -> rig.consumer.paused().isEmpty());
    }

    @Test
    void resumedItTriesTheRecordAnewAndGoesOnInOrder() {
        LaneKeeper<String, String> keeper = stopped();
        assertThat(keeper.resumePartition(P1)).isFalse();
        assertThat(keeper.resumePartition(P0)).isTrue();
        assertThat(keeper.view().stoppedPartitions()).isEmpty();
        assertThat(keeper.resumePartition(P0)).isFalse();
        Puppet.Run again = rig.puppet.run("bad", 1);
        assertThat(again.delivery().attempt()).isEqualTo(1);
        again.finish();
        rig.puppet.run("2").finish();
        rig.awaitCommitted(3);
        assertThat(rig.puppet.values()).containsExactly("0", "bad", "bad", "2");
    }

    @Test
    void theRecordCanBeSkippedToTheDeadLetters() {
        LaneKeeper<String, String> keeper = stopped();
        assertThat(keeper.skipRecord(P0)).isTrue();
        rig.puppet.run("2").finish();
        rig.awaitCommitted(3);
        assertThat(rig.deadLetter(0))
                .containsEntry("lanekeeper.error.message", "planned")
                .containsEntry("lanekeeper.attempts", "1");
        assertThat(rig.puppet.values()).containsExactly("0", "bad", "2");
    }

    @Test
    void aNewAssignmentBeginsAnewAtTheRecord() {
        LaneKeeper<String, String> keeper = stopped();
        rig.awaitCommitted(1);
        rig.consumer.revokeAndReturn(P0);
        rig.puppet.run("bad", 1).finish();
        assertThat(keeper.view().stoppedPartitions()).isEmpty();
        assertThat(keeper.resumePartition(P0)).isFalse();
        rig.puppet.run("2").finish();
        rig.awaitCommitted(3);
    }

    @Test
    void oneThatFailsAfterTheStopWaitsWithTheOthers() {
        LaneKeeper<String, String> keeper = start();
        rig.send("a=bad", "b=worse");
        Puppet.Run worse = rig.puppet.run("worse");
        rig.puppet.run("bad").fail(new IOException("planned"));
        await().until(() -> keeper.view().stoppedPartitions().size() == 1);
        worse.fail(new IOException("too"));
        await().until(() -> keeper.view().failedAttempts() == 2);
        rig.awaitPasses(3);
        assertThat(rig.puppet.values()).containsExactlyInAnyOrder("bad", "worse");
        keeper.resumePartition(P0);
        rig.puppet.run("bad", 1).finish();
        rig.puppet.run("worse", 1).finish();
        rig.awaitCommitted(2);
    }

    @Test
    void aRuleMayLetSomeFailuresPass() {
        start();
        rig.send("a=bad", "a=next");
        rig.puppet.run("bad").fail(new Terminated());
        rig.puppet.run("next").finish();
        rig.awaitCommitted(2);
        assertThat(rig.sent("dead")).containsExactly("bad");
    }

    @Test
    void aStoppedEngineClosesAtOnce() {
        LaneKeeper<String, String> keeper = stopped();
        keeper.close(Duration.ofSeconds(20));
        assertThat(keeper.view().state()).isEqualTo(EngineState.CLOSED);
        assertThat(keeper.view().lanes().live()).isZero();
        assertThat(rig.consumer.committedOffset(P0)).isEqualTo(1);
    }

    private static final class Terminated extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1;
    }
}
