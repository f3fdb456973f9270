package dev.lanekeeper.engine;

import static dev.lanekeeper.engine.EngineRig.P0;
import static dev.lanekeeper.engine.EngineRig.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.handler.BatchLimit;
import dev.lanekeeper.engine.handler.RetryPolicy;
import dev.lanekeeper.lanes.Pause;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the records of a batch send, they send one after the other, and each is done when the broker has its own. */
@Timeout(60)
class BatchOutputsTest {
    @RegisterExtension
    final EngineRig rig = EngineRig.silent();

    private final BatchPuppet puppet = new BatchPuppet(rig);

    private LaneKeeper<String, String> keeper;

    /** Records 1, 2 and 3 are handled, and the output of 1 is on its way. */
    @BeforeEach
    void outputOfTheFirstIsOnItsWay() {
        keeper = rig.start(
                builder -> builder.retry(RetryPolicy.never()).batchHandler(puppet.handler(), BatchLimit.records(10)));
        puppet.holding(keeper, "a=1", "a=2", "a=3").finish();
        puppet.run("1", "2", "3").emit().finish();
        awaitSent("1");
        rig.send("a=4");
        await().until(() -> keeper.view().polled() == 5);
    }

    @AfterEach
    void finishAll() {
        puppet.finishAll();
    }

    private void awaitSent(String... values) {
        await().until(() -> rig.sent("out"), List.of(values)::equals);
        rig.awaitPasses(2);
        assertThat(rig.sent("out")).containsExactly(values);
    }

    @Test
    void theNextSendsWhenThatOfTheOneBeforeIsAcknowledgedAndTheLaneIsHeldUntilTheLast() {
        rig.awaitCommitted(1);
        LaneHead head = keeper.view().oldest(1).get(0);
        assertThat(head.offset()).isEqualTo(1);
        assertThat(head.doing()).isEqualTo(LaneHead.Doing.PUBLISHING);
        rig.producer().completeNext();
        awaitSent("1", "2");
        rig.awaitCommitted(2);
        rig.producer().completeNext();
        awaitSent("1", "2", "3");
        rig.awaitCommitted(3);
        assertThat(puppet.batches()).doesNotContain(List.of("4"));
        rig.producer().completeNext();
        puppet.run("4").finish();
        rig.awaitCommitted(5);
    }

    @Test
    void whereAnOutputIsRefusedThatRecordAndThoseBehindAreTriedAlone() {
        rig.producer().completeNext();
        awaitSent("1", "2");
        rig.producer().errorNext(new RecordTooLargeException("planned"));
        puppet.run("2").emit().finish();
        awaitSent("1", "2", "2");
        rig.producer().errorNext(new RecordTooLargeException("planned"));
        await().until(() -> rig.sent("dead"), List.of("2")::equals);
        rig.producer().completeNext();
        puppet.run("3").emit().finish();
        awaitSent("1", "2", "2", "3");
        rig.producer().completeNext();
        puppet.run("4").finish();
        rig.awaitCommitted(5);
        assertThat(rig.deadLetter(0)).containsEntry("lanekeeper.error.stage", "publish");
    }

    @Test
    void whereTheFirstOutputIsRefusedAllAreTriedAlone() {
        rig.producer().errorNext(new RecordTooLargeException("planned"));
        puppet.run("1").finish();
        puppet.run("2").finish();
        puppet.run("3").finish();
        puppet.run("4").finish();
        rig.awaitCommitted(5);
        assertThat(rig.sent("dead")).isEmpty();
    }

    @Test
    void aPauseWaitsForAllOfThem() throws Exception {
        CompletableFuture<Pause> asked = keeper.pause(Duration.ofSeconds(30));
        for (int sent = 1; sent <= 3; sent++) {
            int records = sent;
            await().until(() -> rig.sent("out").size() == records);
            assertThat(asked).isNotDone();
            rig.producer().completeNext();
        }
        Pause pause = asked.get(20, TimeUnit.SECONDS);
        rig.awaitCommitted(4);
        assertThat(puppet.batches()).doesNotContain(List.of("4"));
        pause.close();
        puppet.run("4").finish();
        rig.awaitCommitted(5);
    }

    /** What another consumer may own by now is sent no more, and nothing behind it ahead of it. */
    @Test
    void ofALostPartitionTheRestIsNotSent() {
        rig.consumer.lose(P0);
        await().until(() -> keeper.view().partitions().isEmpty());
        rig.producer().completeNext();
        await().until(() -> keeper.view().lanes().live() == 0);
        assertThat(rig.sent("out")).containsExactly("1");
        assertThat(puppet.batches()).hasSize(2);
    }

    /** It comes again elsewhere: what is behind it must not be there before it. */
    @Test
    void whereAnOutputIsGivenUpWithItsPartitionNothingBehindItIsSent() {
        CountDownLatch begun = new CountDownLatch(1);
        rig.consumer.inPoll(begun::countDown);
        rig.consumer.revoke(P0);
        await().until(() -> begun.getCount() == 0);
        rig.producer().errorNext(new TimeoutException("planned")); // it would be sent again a second later
        await().until(() -> keeper.view().lanes().live() == 0);
        await().until(() -> keeper.view().partitions().isEmpty()); // those behind it are not waited for
        assertThat(keeper.view().abandoned()).isZero();
        assertThat(rig.sent("out")).containsExactly("1");
        assertThat(rig.consumer.committedOffset(P0)).isEqualTo(1);
        assertThat(puppet.batches()).hasSize(2);
    }
}
