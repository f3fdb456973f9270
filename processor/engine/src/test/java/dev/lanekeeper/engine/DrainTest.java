package dev.lanekeeper.engine;

import static dev.lanekeeper.engine.EngineRig.P0;
import static dev.lanekeeper.engine.EngineRig.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.engine.handler.RetryPolicy;
import dev.lanekeeper.lanes.Pause;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A drain leaves nothing undone and nothing uncommitted, or says so (edge case 34). */
@Timeout(60)
class DrainTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @RegisterExtension
    final EngineRig rig = EngineRig.acknowledging();

    @Test
    void aDrainWaitsUntilAllThatWasDeliveredIsDoneAndCommitted() throws Exception {
        LaneKeeper<String, String> keeper = rig.startAsync();
        rig.send("a=0", "a=1", "b=2");
        await().until(() -> keeper.view().polled() == 3);
        CompletableFuture<Pause> asked = keeper.drain(LONG);
        await().until(() -> rig.consumer.paused().contains(P0));
        rig.send("c=3");
        rig.puppet.run("0").fail(new IllegalStateException("planned"));
        rig.puppet.run("0", 1).finish();
        rig.puppet.run("2").finish();
        rig.awaitPasses(3);
        assertThat(asked).isNotDone();
        rig.puppet.run("1").finish();
        Pause drained = asked.get(20, TimeUnit.SECONDS);
        assertThat(rig.consumer.committedOffset(P0)).isEqualTo(3);
        assertThat(keeper.view().lanes().live()).isZero();
        assertThat(keeper.view().polled()).isEqualTo(3);
        drained.close();
        rig.puppet.run("3").finish();
        rig.awaitCommitted(4);
    }

    @Test
    void aDrainedEngineClosesWithNothingToDropAndNothingToAwait() throws Exception {
        LaneKeeper<String, String> keeper = rig.startAsync();
        rig.send("a=0");
        rig.puppet.run("0").finish();
        CompletableFuture<Pause> asked = keeper.drain(LONG);
        Pause drained = asked.get(20, TimeUnit.SECONDS);
        keeper.close(Duration.ofHours(1)); // does not wait for the holder of a drain
        assertThat(keeper.view().state()).isEqualTo(EngineState.CLOSED);
        drained.close();
        assertThat(rig.consumer.committedOffset(P0)).isEqualTo(1);
    }

    @Test
    void aDrainThatTakesTooLongFailsAndTheEngineGoesOn() {
        LaneKeeper<String, String> keeper = rig.startAsync();
        rig.send("a=0", "a=1");
        Puppet.Run run = rig.puppet.run("0");
        CompletableFuture<Pause> asked = keeper.drain(Duration.ofMillis(20));
        assertThatThrownBy(() -> asked.get(20, TimeUnit.SECONDS))
                .hasCauseInstanceOf(TimeoutException.class)
                .hasMessageContaining("not everything was done after PT0.02S")
                .hasMessageContaining("1 records hold their lane");
        rig.send("b=2");
        rig.puppet.run("2").finish();
        run.finish();
        rig.puppet.run("1").finish();
        rig.awaitCommitted(3);
    }

    @Test
    void aDrainWaitsForWhatALostPartitionHasLeftRunning() throws Exception {
        LaneKeeper<String, String> keeper = rig.startAsync();
        rig.send("a=0");
        Puppet.Run run = rig.puppet.run("0");
        rig.consumer.lose(P0);
        await().until(() -> keeper.view().partitions().isEmpty());
        CompletableFuture<Pause> asked = keeper.drain(LONG);
        rig.awaitPasses(3);
        assertThat(asked).isNotDone();
        run.finish();
        asked.get(20, TimeUnit.SECONDS).close();
    }

    /** Two drains with nothing to do, and a retry that is far away: it counts as not done. */
    @Test
    void aDrainWaitsForRetries() throws Exception {
        LaneKeeper<String, String> keeper =
                rig.start(settings -> settings.retry(new RetryPolicy(3, Duration.ofHours(1), Duration.ofHours(1), 0))
                        .asyncHandler(rig.puppet.async()));
        keeper.drain(LONG).get(20, TimeUnit.SECONDS).close();
        rig.send("a=0");
        rig.puppet.run("0").fail(new IllegalStateException("planned"));
        await().until(() -> keeper.view().failedAttempts() == 1);
        keeper.pause(LONG).get(20, TimeUnit.SECONDS).close(); // a pause does not
        CompletableFuture<Pause> asked = keeper.drain(LONG);
        await().until(() -> rig.consumer.paused().contains(P0));
        rig.awaitPasses(3);
        assertThat(asked).isNotDone();
    }
}
