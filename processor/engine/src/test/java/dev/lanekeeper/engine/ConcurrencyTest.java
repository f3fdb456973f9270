package dev.lanekeeper.engine;

import static dev.lanekeeper.engine.EngineRig.P0;
import static dev.lanekeeper.engine.EngineRig.P1;
import static dev.lanekeeper.engine.EngineRig.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The concurrency changes while work goes on (decaton#172), and what is hot slows down only itself (decaton#167). */
@Timeout(60)
class ConcurrencyTest {
    @RegisterExtension
    final EngineRig rig = EngineRig.acknowledging();

    private List<Puppet.Run> underWay() {
        return rig.puppet.started().stream().filter(run -> !run.end().isDone()).toList();
    }

    private void send(int records) {
        for (int i = 0; i < records; i++) {
            rig.consumer.append(P0, "k" + i, "" + i);
        }
    }

    @Test
    void asynchronousAttemptsFollowUpAndDown() {
        LaneKeeper<String, String> keeper =
                rig.start(settings -> settings.concurrency(4).asyncHandler(rig.puppet.async()));
        followsUpAndDown(keeper);
    }

    @Test
    void soDoBlockingOnesOnAnExecutorOfTheCallers() {
        ExecutorService many = Executors.newCachedThreadPool();
        try {
            LaneKeeper<String, String> keeper =
                    rig.start(settings -> settings.concurrency(4).executor(many).handler(rig.puppet.blocking()));
            followsUpAndDown(keeper);
        } finally {
            rig.close();
            many.shutdown();
        }
    }

    /** With permits the count is exact at every moment. */
    private void followsUpAndDown(LaneKeeper<String, String> keeper) {
        assertThat(keeper.view().concurrency()).isEqualTo(4);
        send(40);
        await().until(() -> underWay().size() == 4);
        keeper.concurrency(2);
        assertThat(keeper.view().concurrency()).isEqualTo(2);
        rig.puppet.started().get(0).finish();
        rig.puppet.started().get(1).finish();
        rig.awaitPasses(2);
        assertThat(rig.puppet.started())
                .as("two too many have ended, nothing has begun")
                .hasSize(4);
        rig.puppet.started().get(2).finish();
        await().until(() -> rig.puppet.started().size() == 5);
        keeper.concurrency(7);
        await().until(() -> underWay().size() == 7);
        rig.awaitPasses(2);
        assertThat(underWay()).hasSize(7);
        keeper.concurrency(1);
        finishAll(40);
    }

    private void finishAll(int records) {
        await().until(() -> {
            rig.puppet.finishAll();
            return rig.consumer.committedOffset(P0) == records;
        });
    }

    /** Own workers: one may take another record before it notices that it is one too many. */
    @Test
    void blockingAttemptsOnOwnWorkersFollowUpAndDown() {
        LaneKeeper<String, String> keeper =
                rig.start(settings -> settings.concurrency(4).handler(rig.puppet.blocking()));
        send(400);
        await().until(() -> underWay().size() == 4);
        keeper.concurrency(8);
        await().until(() -> underWay().size() == 8);
        keeper.concurrency(1);
        await().until(() -> {
            List<Puppet.Run> running = underWay();
            if (running.size() > 1) {
                running.get(0).finish();
            }
            return running.size() == 1;
        });
        for (int i = 0; i < 20; i++) {
            int before = rig.puppet.started().size();
            underWay().forEach(Puppet.Run::finish);
            await().until(() -> rig.puppet.started().size() > before);
            assertThat(underWay()).hasSize(1);
        }
        assertThat(keeper.view().failedAttempts()).as("interrupted attempts").isZero();
        finishAll(400);
    }

    @Test
    void lessThanOneIsRefused() {
        LaneKeeper<String, String> keeper = rig.startAsync();
        assertThatThrownBy(() -> keeper.concurrency(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("concurrency must be at least 1: 0");
        assertThat(keeper.view().concurrency()).isEqualTo(100);
    }

    /** PC#857: a partition that is stuck, and full, takes nothing from the other: neither room nor turns. */
    @Test
    void aHotPartitionDoesNotStarveTheOther() {
        LaneKeeper<String, String> keeper = rig.start(
                settings -> settings.bufferRecords(1_000).concurrency(10_000).asyncHandler(rig.puppet.async()));
        rig.consumer.assign(P1);
        await().until(() -> keeper.view().partitions().size() == 2);
        for (int i = 0; i < 5_000; i++) {
            rig.consumer.append(P0, "hot" + i, "never");
        }
        await().until(() -> keeper.view().partitions().stream()
                .anyMatch(view -> view.topicPartition().equals(P0) && view.throttled()));
        for (int i = 0; i < 200; i++) {
            rig.consumer.append(P1, "cold" + i, "soon" + i);
        }
        await().until(() -> {
            rig.puppet.started().stream()
                    .filter(run -> run.value().startsWith("soon"))
                    .forEach(Puppet.Run::finish);
            return rig.consumer.committedOffset(P1) == 200;
        });
        assertThat(keeper.view().polled()) // of the hot one, what it may borrow and one poll
                .isLessThanOrEqualTo(200 + 887 + 500);
        assertThat(rig.consumer.paused()).containsExactly(P0);
    }

    /** Edge case 48: other customers of other partitions flow, and those of its own as far as the window reaches. */
    @Test
    void aHotCustomerHoldsUpOnlyItself() {
        LaneKeeper<String, String> keeper = rig.start(
                settings -> settings.bufferRecords(100_000).concurrency(4).asyncHandler(rig.puppet.async()));
        for (int i = 0; i < 5_000; i++) {
            rig.consumer.append(P0, "hot", "hot" + i);
        }
        for (int i = 0; i < 50; i++) {
            rig.consumer.append(P0, "cold" + i, "cold" + i);
        }
        rig.puppet.run("hot0");
        await().until(() -> {
            rig.puppet.started().stream()
                    .filter(run -> run.value().startsWith("cold"))
                    .forEach(Puppet.Run::finish);
            return keeper.view().completed() == 50;
        });
        LaneHead hot = keeper.view().oldest(1).get(0);
        assertThat(hot.label()).isEqualTo("hot");
        assertThat(hot.behind()).isEqualTo(4_999);
    }
}
