package dev.lanekeeper.engine;

import static dev.lanekeeper.engine.EngineRig.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.engine.handler.Delivery;
import dev.lanekeeper.engine.handler.FinalResult;
import dev.lanekeeper.engine.handler.RetryPolicy;
import dev.lanekeeper.testkit.ManualClock;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A record is done only when the broker has everything that it caused. */
@Timeout(60)
class ResultsTest {
    @RegisterExtension
    final EngineRig rig = EngineRig.silent();

    private final List<FinalResult<String>> results = Collections.synchronizedList(new ArrayList<>());

    @Test
    void outputsOfTheAttemptThatSucceededAreSentAndNoOthers() {
        rig.startAsync();
        rig.send("a=0");
        Puppet.Run failing = rig.puppet.run("0", 0);
        emit(failing.delivery(), "of the first");
        failing.fail(new IOException("planned"));
        Puppet.Run second = rig.puppet.run("0", 1);
        emit(second.delivery(), "one");
        emit(second.delivery(), "two");
        assertThat(rig.producer().history()).isEmpty();
        second.finish();
        await().until(() -> rig.sent("out").size() == 2);
        assertThat(rig.sent("out")).containsExactly("one", "two");
    }

    @Test
    void nothingIsCommittedAndTheLaneIsHeldUntilTheBrokerHasAll() {
        rig.startAsync();
        rig.send("a=0", "a=1");
        emitAndFinish("0", "one", "two");
        rig.producer().completeNext();
        rig.awaitPasses(3);
        assertThat(rig.consumer.committedOffset(EngineRig.P0)).isNotPositive();
        assertThat(rig.puppet.values()).containsExactly("0");
        rig.producer().completeNext();
        rig.puppet.run("1");
        rig.awaitCommitted(1);
    }

    @Test
    void aBlockingHandlersOutputsHoldItsLaneToo() {
        rig.startBlocking();
        rig.send("a=0", "a=1", "b=2");
        emitAndFinish("0", "one");
        rig.puppet.run("2").finish();
        rig.awaitPasses(2);
        assertThat(rig.puppet.values()).containsExactlyInAnyOrder("0", "2");
        rig.producer().completeNext();
        rig.puppet.run("1");
    }

    /** Edge case 8. */
    @Test
    void aSendThatFailsIsTriedAgainWhileTheFrontierWaits() {
        rig.startAsync();
        rig.send("a=0");
        emitAndFinish("0", "one", "two");
        rig.producer().errorNext(new TimeoutException("away"));
        rig.producer().completeNext();
        await().until(() -> rig.sent("out").size() == 3);
        assertThat(rig.sent("out")).containsExactly("one", "two", "one");
        assertThat(rig.consumer.committedOffset(EngineRig.P0)).isNotPositive();
        rig.producer().completeNext();
        rig.awaitCommitted(1);
    }

    @Test
    void emittingAfterTheEndIsAnErrorThatSaysOfWhat() {
        rig.startAsync();
        rig.send("a=0");
        Puppet.Run run = rig.puppet.run("0");
        run.finish();
        rig.awaitCommitted(1);
        assertThatThrownBy(() -> emit(run.delivery(), "late"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("attempt 1 of jobs-0@0 has ended and can't emit any more");
        assertThat(rig.producer().history()).isEmpty();
    }

    @Test
    @SuppressWarnings("NullAway") // what handlers do all the same
    void emittingNothingIsRefusedAtTheCall() {
        rig.startAsync();
        rig.send("a=0");
        Delivery<String, String> delivery = rig.puppet.run("0").delivery();
        assertThatThrownBy(() -> delivery.emit(null)).hasMessage("output");
    }

    /** Edge case 5, and an output to a topic that can't exist: the fault of this record, so it alone is set aside. */
    @ParameterizedTest
    @ValueSource(classes = {RecordTooLargeException.class, InvalidTopicException.class})
    void anOutputThatTheBrokerWillNeverTakeDeadLettersTheRecord(Class<? extends RuntimeException> refusal)
            throws ReflectiveOperationException {
        LaneKeeper<String, String> keeper = rig.startAsync();
        rig.send("a=0", "a=1");
        emitAndFinish("0", "monster");
        rig.producer().errorNext(refusal.getConstructor(String.class).newInstance("planned"));
        assertThat(rig.deadLetter(0))
                .containsEntry("lanekeeper.error.stage", "publish")
                .containsEntry("lanekeeper.error.class", refusal.getName());
        assertThat(rig.sent("dead")).containsExactly("0");
        rig.producer().completeNext();
        rig.puppet.run("1").finish();
        rig.awaitCommitted(2);
        assertThat(keeper.view().state()).isEqualTo(EngineState.RUNNING);
    }

    @Test
    void anOutputThatMayNotBeWrittenEndsTheEngine() {
        LaneKeeper<String, String> keeper = rig.startAsync();
        rig.send("a=0", "b=1");
        emitAndFinish("0", "forbidden");
        TopicAuthorizationException forbidden = new TopicAuthorizationException("planned");
        rig.producer().errorNext(forbidden);
        rig.puppet.run("1").finish(); // which the engine waits for, but not for what can't be sent
        assertThatThrownBy(() -> keeper.terminated().get(20, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCause(forbidden);
        assertThat(keeper.view().state()).isEqualTo(EngineState.FAILED);
        assertThat(rig.consumer.committedOffset(EngineRig.P0)).isNotPositive();
    }

    @Test
    void theResultWriterHearsOnceOfEachEnd() {
        ManualClock clock = new ManualClock(Instant.parse("2026-01-02T03:04:05Z"));
        rig.start(settings -> settings.clock(clock)
                .retry(RetryPolicy.never())
                .results(this::write)
                .asyncHandler(rig.puppet.async()));
        rig.send("a=good", "a=bad");
        emitAndFinish("good", "one");
        assertThat(rig.sent("out")).containsExactly("one");
        rig.awaitPasses(2);
        assertThat(rig.sent("results")).isEmpty(); // nobody reads that it is done before its output is there
        rig.producer().completeNext();
        await().until(() -> rig.sent("results").size() == 1);
        assertThat(rig.sent("results")).containsExactly("done good 1");
        rig.awaitPasses(2);
        assertThat(rig.puppet.values()).containsExactly("good");
        rig.producer().completeNext();
        rig.puppet.run("bad").fail(new IOException("planned"));
        await().until(() -> rig.sent("results").size() == 2);
        assertThat(rig.sent("dead")).containsExactly("bad");
        assertThat(rig.sent("results")).containsExactly("done good 1", "handler bad 1");
        rig.producer().completeNext();
        rig.producer().completeNext();
        rig.awaitCommitted(2);

        assertThat(results).hasSize(2);
        FinalResult<String> first = results.get(0);
        assertThat(first.record().offset()).isZero();
        assertThat(first.epoch()).isEqualTo(1);
        assertThat(first.startedAt()).isEqualTo(clock.instant());
        assertThat(first.endedAt()).isEqualTo(clock.instant());
    }

    /** One final result for each record: of an output that is refused there is no success to tell. */
    @Test
    void anOutputThatIsRefusedHasNoResultThatSaysDone() {
        rig.start(settings ->
                settings.retry(RetryPolicy.never()).results(this::write).asyncHandler(rig.puppet.async()));
        rig.send("a=0");
        emitAndFinish("0", "monster");
        rig.producer().errorNext(new RecordTooLargeException("planned"));
        await().until(() -> !rig.sent("results").isEmpty());
        assertThat(rig.sent("results")).containsExactly("publish 0 1");
    }

    /** The shortened letter goes out in place of the letter, not of what else had to be sent with it. */
    @Test
    void aResultIsNotForgottenBecauseTheDeadLetterIsTooLarge() {
        failWithAResult();
        rig.producer().errorNext(new RecordTooLargeException("planned"));
        rig.producer().errorNext(new TimeoutException("away"));
        await().until(() -> rig.sent("dead").size() == 2);
        await().until(() -> rig.sent("results").size() == 2);
        rig.producer().completeNext();
        rig.awaitPasses(2);
        assertThat(rig.consumer.committedOffset(EngineRig.P0)).isNotPositive();
        rig.producer().completeNext();
        rig.awaitCommitted(1);
    }

    @Test
    void aResultThatIsRefusedDoesNotDoubleTheDeadLetter() {
        failWithAResult();
        rig.producer().completeNext();
        rig.producer().errorNext(new RecordTooLargeException("planned"));
        rig.awaitCommitted(1);
        assertThat(rig.sent("dead")).containsExactly("bad");
    }

    private void failWithAResult() {
        rig.start(settings ->
                settings.retry(RetryPolicy.never()).results(this::write).asyncHandler(rig.puppet.async()));
        rig.send("a=bad");
        rig.puppet.run("bad").fail(new IOException("planned"));
        await().until(() -> rig.sent("results").size() == 1);
        assertThat(rig.sent("dead")).containsExactly("bad");
    }

    @Test
    void aRecordThatCouldNotBeReadHasAResultOfNoAttempt() {
        rig.start(settings -> settings.results(this::write).asyncHandler(rig.puppet.async()));
        rig.consumer.append(EngineRig.P0, null, "x");
        await().until(() -> rig.sent("results").size() == 1);
        assertThat(rig.sent("results")).containsExactly("decode null 0");
    }

    /** PC#25: user code where the bookkeeping could not survive a throw. Whatever it throws, the record has an end. */
    @ParameterizedTest
    @ValueSource(strings = {"exception", "error", "null", "null inside"})
    @SuppressWarnings("NullAway") // what writers do all the same
    void aResultWriterThatBreaksDeadLettersTheRecord(String how) {
        rig.start(settings -> settings.asyncHandler(rig.puppet.async()).results(result -> switch (how) {
            case "exception" -> throw new IllegalStateException("planned");
            case "error" -> throw new StackOverflowError("planned");
            case "null" -> null;
            default -> Arrays.asList((ProducerRecord<byte[], byte[]>) null);
        }));
        rig.send("a=0", "a=1");
        emitAndFinish("0");
        assertThat(rig.deadLetter(0)).containsEntry("lanekeeper.error.stage", "publish");
        assertThat(rig.sent("dead")).containsExactly("0");
        rig.producer().completeNext();
        rig.awaitCommitted(1);
        rig.puppet.run("1");
    }

    private List<ProducerRecord<byte[], byte[]>> write(FinalResult<String> result) {
        results.add(result);
        FinalResult.Failure failure = result.failure();
        String text =
                (failure == null ? "done" : failure.stage().label()) + " " + result.value() + " " + result.attempt();
        return List.of(new ProducerRecord<>("results", text.getBytes(UTF_8)));
    }

    private void emitAndFinish(String value, String... outputs) {
        Puppet.Run run = rig.puppet.run(value);
        for (String output : outputs) {
            emit(run.delivery(), output);
        }
        int before = rig.producer().history().size();
        run.finish();
        await().until(() -> rig.producer().history().size() >= before + outputs.length);
    }

    private static void emit(Delivery<String, String> delivery, String value) {
        delivery.emit(new ProducerRecord<>("out", value.getBytes(UTF_8)));
    }
}
