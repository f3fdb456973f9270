package dev.lanekeeper.engine;

import static dev.lanekeeper.engine.EngineRig.P0;
import static dev.lanekeeper.engine.EngineRig.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.engine.LaneHead.Doing;
import dev.lanekeeper.engine.handler.FailurePolicy;
import dev.lanekeeper.engine.handler.OnFailure;
import dev.lanekeeper.engine.handler.RetryPolicy;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Which customer is stuck, since when, why, and what waits behind it (PC#484). */
@Timeout(60)
class LaneHeadTest {
    @RegisterExtension
    final EngineRig rig = EngineRig.silent();

    private static LaneHead head(LaneKeeper<?, ?> keeper, String lane) {
        return await().until(
                        () -> keeper.view().oldest(100).stream()
                                .filter(head -> head.label().equals(lane))
                                .toList(),
                        found -> !found.isEmpty())
                .get(0);
    }

    private static LaneHead head(LaneKeeper<?, ?> keeper, String lane, Doing doing) {
        return await().until(() -> head(keeper, lane), head -> head.doing() == doing);
    }

    @Test
    void aRunningRecordSaysWhereItIsAndWhatWaitsBehindIt() {
        LaneKeeper<String, String> keeper = rig.startBlocking();
        rig.send("a=0", "b=1", "a=2", "a=3");
        Puppet.Run run = rig.puppet.run("0");
        rig.puppet.run("1").finish();
        LaneHead head = await().until(() -> head(keeper, "a"), it -> it.behind() == 2);
        assertThat(head.topicPartition()).isEqualTo(P0);
        assertThat(head.offset()).isZero();
        assertThat(head.attempts()).isEqualTo(1);
        assertThat(head.doing()).isEqualTo(Doing.RUNNING);
        assertThat(head.thread()).contains(run.thread().getName());
        assertThat(head.lastFailure()).isEmpty();
        assertThat(head.since())
                .isBetween(
                        run.delivery().startedAt().minusSeconds(5),
                        run.delivery().startedAt().plusSeconds(5));
        assertThat(head)
                .hasToString("a: jobs-0@0 RUNNING for " + head.age().toMillis() + " ms, attempts 1, 2 behind it");
        await().until(() -> keeper.view().oldest(100).size() == 1);
    }

    @Test
    void anAsynchronousOneIsOnNoThread() {
        LaneKeeper<String, String> keeper = rig.startAsync();
        rig.send("a=0");
        rig.puppet.run("0");
        LaneHead head = await().until(() -> head(keeper, "a"), it -> it.thread().isEmpty());
        assertThat(head.doing()).isEqualTo(Doing.RUNNING);
    }

    /** Its age counts from the first attempt, not from the last. */
    @Test
    void aRecordThatIsTriedAgainSaysWhyAndHowLongInAll() {
        LaneKeeper<String, String> keeper =
                rig.start(settings -> settings.retry(new RetryPolicy(3, Duration.ZERO, Duration.ZERO, 0))
                        .asyncHandler(rig.puppet.async()));
        rig.send("a=0");
        Puppet.Run run = rig.puppet.run("0");
        Duration before = head(keeper, "a").age();
        run.fail(new IllegalStateException("planned"));
        rig.puppet.run("0", 1);
        LaneHead head = head(keeper, "a", Doing.RUNNING);
        assertThat(head.attempts()).isEqualTo(2);
        assertThat(head.age()).isGreaterThanOrEqualTo(before);
        assertThat(head.lastFailure()).get().hasToString("java.lang.IllegalStateException: planned");
        assertThat(head.toString()).endsWith(", last failure java.lang.IllegalStateException: planned");
    }

    @Test
    void aRecordThatWaitsForItsNextAttempt() {
        LaneKeeper<String, String> keeper =
                rig.start(settings -> settings.retry(new RetryPolicy(3, Duration.ofHours(1), Duration.ofHours(1), 0))
                        .handler(rig.puppet.blocking()));
        rig.send("a=0");
        rig.puppet.run("0").fail(new IllegalStateException("planned"));
        LaneHead head = head(keeper, "a", Doing.RETRYING);
        assertThat(head.lastFailure()).isPresent();
        assertThat(head.attempts()).isEqualTo(1);
    }

    @Test
    void aRecordThatStopsItsPartitionAndOneThatWaitsForItsResumption() {
        LaneKeeper<String, String> keeper = rig.start(settings -> settings.retry(RetryPolicy.never())
                .failures(FailurePolicy.of(OnFailure.STOP_PARTITION))
                .handler(rig.puppet.blocking()));
        rig.send("a=0");
        rig.puppet.run("0").fail(new IllegalStateException("planned"));
        LaneHead head = head(keeper, "a", Doing.STOPPED);
        assertThat(head.lastFailure()).get().hasToString("java.lang.IllegalStateException: planned");
        rig.send("b=1");
        assertThat(head(keeper, "b", Doing.STOPPED).attempts()).isZero();
        keeper.resumePartition(P0);
        rig.puppet.run("0", 1).finish();
        rig.puppet.run("1");
        head(keeper, "b", Doing.RUNNING);
    }

    @Test
    void aRecordThatIsWithItsHandlerForTooLong() {
        LaneKeeper<String, String> keeper = rig.start(
                settings -> settings.handlerTimeout(Duration.ofMillis(1)).asyncHandler(rig.puppet.async()));
        rig.send("a=0");
        rig.puppet.run("0");
        assertThat(head(keeper, "a", Doing.OVERDUE).attempts()).isEqualTo(1);
    }

    @Test
    void aRecordWhoseDeadLetterIsOnItsWay() {
        LaneKeeper<String, String> keeper =
                rig.start(settings -> settings.retry(new RetryPolicy(1, Duration.ZERO, Duration.ZERO, 0))
                        .handler(rig.puppet.blocking()));
        rig.send("a=0");
        rig.puppet.run("0").fail(new IllegalStateException("planned"));
        LaneHead head = head(keeper, "a", Doing.PUBLISHING);
        assertThat(head.lastFailure()).isPresent();
        await().until(() -> !rig.sent("dead").isEmpty());
        rig.producer().errorNext(new TimeoutException("the broker is away"));
        assertThat(head(keeper, "a").doing()).isEqualTo(Doing.PUBLISHING);
    }

    @Test
    void aRecordThatWaitsForItsTurnAmongAttempts() {
        LaneKeeper<String, String> keeper =
                rig.start(settings -> settings.concurrency(1).asyncHandler(rig.puppet.async()));
        rig.send("a=0");
        rig.puppet.run("0");
        rig.send("b=1");
        LaneHead head = head(keeper, "b", Doing.WAITING);
        assertThat(head.attempts()).isZero();
    }

    @Test
    void theOldestComeFirstAndOnlyThoseThatAreOldEnough() {
        LaneKeeper<String, String> keeper = rig.startAsync();
        rig.send("a=0");
        rig.puppet.run("0");
        rig.send("b=1");
        rig.puppet.run("1");
        rig.send("c=2");
        rig.puppet.run("2");
        assertThat(keeper.view().oldest(2)).extracting(LaneHead::label).containsExactly("a", "b");
        assertThat(keeper.view().oldest(0)).isEmpty();
        assertThat(keeper.view().stuck(Duration.ofHours(1))).isEmpty();
        await().until(() -> keeper.view().stuck(Duration.ofMillis(1)).size() == 3);
        List<Duration> ages =
                keeper.view().oldest(3).stream().map(LaneHead::age).toList();
        assertThat(ages).isSortedAccordingTo((one, other) -> other.compareTo(one));
        assertThatThrownBy(() -> keeper.view().oldest(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("limit must not be negative: -1");
    }
}
