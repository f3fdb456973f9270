package dev.lanekeeper.engine;

import static dev.lanekeeper.engine.EngineRig.P0;
import static dev.lanekeeper.engine.EngineRig.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.handler.FailurePolicy;
import dev.lanekeeper.engine.handler.FailurePolicy.Verdict;
import dev.lanekeeper.engine.handler.OnFailure;
import dev.lanekeeper.engine.handler.RetryLaterException;
import java.io.IOException;
import java.io.Serial;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Edge case 7: a schema that is not known yet is no poison. The customer waits for a while, and nobody else. */
@Timeout(60)
class HeldRecordTest {
    private static final FailurePolicy HOLDS =
            FailurePolicy.DEFAULT.when(RegistryException.class, Verdict.HOLD).withHoldFor(Duration.ofHours(1));

    @RegisterExtension
    final EngineRig rig = EngineRig.acknowledging();

    private final Set<String> known = ConcurrentHashMap.newKeySet();
    private final AtomicInteger tries = new AtomicInteger();

    /** What the client of a schema registry throws, in the wrapping of a deserializer. */
    private static final class RegistryException extends IOException {
        @Serial
        private static final long serialVersionUID = 1;

        RegistryException() {
            super("status 404");
        }
    }

    /** The ways to say that it may be known later. */
    enum NotYet {
        BY_RULE {
            @Override
            RuntimeException failure(String text) {
                return new SerializationException("no schema for " + text, new RegistryException());
            }
        },
        BY_ITSELF {
            @Override
            RuntimeException failure(String text) {
                return new RetryLaterException(Duration.ofMillis(1), "no schema for " + text, null);
            }
        };

        abstract RuntimeException failure(String text);
    }

    /** Of values that begin with {@code new}, it decodes those that are known. */
    private Deserializer<String> deserializer(NotYet notYet) {
        return (topic, data) -> {
            String text = new String(data, UTF_8);
            if (text.startsWith("new") && !known.contains(text)) {
                tries.incrementAndGet();
                throw notYet.failure(text);
            }
            if (text.endsWith("corrupt")) {
                throw new SerializationException("corrupt");
            }
            return text;
        };
    }

    private LaneKeeper<String, String> start(
            NotYet notYet, FailurePolicy policy, UnaryOperator<LaneKeeperBuilder<String, String>> settings) {
        return rig.start(builder -> settings.apply(builder.deserializers(new StringDeserializer(), deserializer(notYet))
                .failures(policy)
                .concurrency(1) // it must not be used up by those who wait
                .asyncHandler(rig.puppet.async())));
    }

    private LaneKeeper<String, String> start(FailurePolicy policy) {
        return start(NotYet.BY_RULE, policy, UnaryOperator.identity());
    }

    private static LaneHead held(LaneKeeper<?, ?> keeper) {
        return await().until(
                        () -> keeper.view().oldest(100).stream()
                                .filter(head -> head.doing() == LaneHead.Doing.HELD)
                                .toList(),
                        found -> !found.isEmpty())
                .get(0);
    }

    @ParameterizedTest
    @EnumSource
    void itIsHeldUntilItIsKnownAndOthersFlow(NotYet notYet) {
        LaneKeeper<String, String> keeper = start(notYet, HOLDS, UnaryOperator.identity());
        rig.send("a=0", "a=new", "a=2", "b=3");
        rig.puppet.run("0").finish();
        rig.puppet.run("3").finish();
        await().until(() -> tries.get() >= 2);
        LaneHead head = await().until(() -> held(keeper), it -> it.behind() == 1);
        assertThat(head.label()).isEqualTo("a");
        assertThat(head.offset()).isEqualTo(1);
        assertThat(head.attempts()).isZero();
        assertThat(head.lastFailure()).get().asString().endsWith("no schema for new");
        assertThat(head.thread()).isEmpty();
        rig.awaitCommitted(1);

        known.add("new");
        Puppet.Run run = rig.puppet.run("new");
        assertThat(run.delivery().attempt()).isEqualTo(1);
        assertThat(rig.puppet.values()).doesNotContain("2");
        run.finish();
        rig.puppet.run("2").finish();
        rig.awaitCommitted(4);
        assertThat(rig.sent("dead")).isEmpty();
        assertThat(keeper.view().failedAttempts()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void whenItsTimeIsOverItIsADeadLetter(NotYet notYet) {
        start(notYet, HOLDS.withHoldFor(Duration.ofMillis(150)), UnaryOperator.identity());
        rig.send("a=new", "a=1");
        rig.puppet.run("1").finish();
        rig.awaitCommitted(2);
        assertThat(tries).hasValueGreaterThan(1);
        assertThat(rig.sent("dead")).containsExactly("new");
        assertThat(rig.deadLetter(0))
                .containsEntry("lanekeeper.error.stage", "decode")
                .containsEntry("lanekeeper.error.message", "no schema for new")
                .containsEntry("lanekeeper.attempts", "0");
    }

    @Test
    void orTheCustomerIsParkedAndReplayedInOrderWhenItIsKnown() {
        FailurePolicy parks = FailurePolicy.of(OnFailure.PARK_KEY)
                .when(RegistryException.class, Verdict.HOLD)
                .withHoldFor(Duration.ofMillis(1));
        LaneKeeper<String, String> keeper = start(
                NotYet.BY_RULE,
                parks,
                builder -> builder.parkedRecords(HistoryLog.TOPIC).parkingLog(new HistoryLog(rig, 3)));
        rig.send("a=new", "a=1", "b=2");
        rig.puppet.run("2").finish();
        rig.awaitCommitted(3);
        assertThat(keeper.view().parkedKeys()).singleElement().satisfies(parked -> {
            assertThat(parked.records()).isEqualTo(2);
            assertThat(parked.cause()).endsWith("no schema for new");
        });
        assertThat(rig.sent("dead")).isEmpty();

        known.add("new");
        var replayed = keeper.unpark("a".getBytes(UTF_8));
        rig.puppet.run("new").finish();
        rig.puppet.run("1").finish();
        await().until(replayed::isDone);
        assertThat(replayed).isCompletedWithValue(2L);
    }

    @Test
    void orThePartitionIsStoppedAndItIsDecodedAnewWhenThatIsResumed() {
        LaneKeeper<String, String> keeper = start(FailurePolicy.of(OnFailure.STOP_PARTITION)
                .when(RegistryException.class, Verdict.HOLD)
                .withHoldFor(Duration.ofMillis(1)));
        rig.send("a=new", "a=1");
        await().until(() -> keeper.view().stoppedPartitions().size() == 1);
        known.add("new");
        assertThat(keeper.resumePartition(P0)).isTrue();
        rig.puppet.run("new").finish();
        rig.puppet.run("1").finish();
        rig.awaitCommitted(2);
    }

    /** What the rules don't speak of can't be decoded, as ever. */
    @Test
    void whatIsKnownButCorruptIsADeadLetterWhateverIsParked() {
        LaneKeeper<String, String> keeper = start(FailurePolicy.of(OnFailure.STOP_PARTITION)
                .when(RegistryException.class, Verdict.HOLD)
                .withHoldFor(Duration.ofHours(1)));
        rig.send("a=new and corrupt");
        held(keeper);
        known.add("new and corrupt");
        rig.awaitCommitted(1);
        assertThat(rig.sent("dead")).containsExactly("new and corrupt");
    }

    @Test
    void aHeldRecordIsNotAwaitedWhenItsPartitionGoes() {
        LaneKeeper<String, String> keeper = start(HOLDS);
        rig.send("a=new", "a=1", "b=2");
        rig.puppet.run("2").finish();
        held(keeper);
        rig.consumer.revokeAndReturn(P0);
        known.add("new");
        rig.puppet.run("new").finish(); // long before the drain timeout
        await().until(() -> {
            rig.puppet.finishAll();
            return rig.consumer.committedOffset(P0) == 3;
        });
        assertThat(keeper.view().abandoned()).isZero();
        await().until(() -> keeper.view().lanes().live() == 0);
    }

    /** A handler may meet the same; attempts that were waited for don't use up the others. */
    @Test
    void whatAHandlerThrowsIsHeldToo() {
        LaneKeeper<String, String> keeper = start(HOLDS);
        rig.send("a=0", "a=1");
        for (int attempt = 0; attempt < 4; attempt++) {
            rig.puppet.run("0", attempt).fail(new SerializationException(new RegistryException()));
            assertThat(held(keeper).attempts()).isEqualTo(attempt + 1);
        }
        for (int attempt = 4; attempt < 7; attempt++) {
            rig.puppet.run("0", attempt).fail(new IllegalStateException("planned"));
        }
        rig.puppet.run("1").finish();
        rig.awaitCommitted(2);
        assertThat(rig.deadLetter(0)).containsEntry("lanekeeper.attempts", "7");
    }

    /** What it was tried before it could be decoded is no attempt. */
    @Test
    void whatWasHeldToBeDecodedHasAsManyAttemptsAsAnyOther() {
        start(HOLDS);
        rig.send("a=new", "a=1");
        await().until(() -> tries.get() >= 2);
        known.add("new");
        for (int attempt = 0; attempt < 3; attempt++) {
            rig.puppet.run("new", attempt).fail(new IllegalStateException("planned"));
        }
        rig.puppet.run("1").finish();
        rig.awaitCommitted(2);
        assertThat(rig.deadLetter(0)).containsEntry("lanekeeper.attempts", "3");
    }

    @Test
    void noMemoryIsNotWaitedFor() {
        LaneKeeper<String, String> keeper =
                rig.start(builder -> builder.deserializers(new StringDeserializer(), (topic, data) -> {
                            throw new OutOfMemoryError("planned");
                        })
                        .failures(FailurePolicy.DEFAULT.when(Error.class, Verdict.HOLD))
                        .asyncHandler(rig.puppet.async()));
        rig.send("a=0");
        await().until(() -> keeper.terminated().isCompletedExceptionally());
        assertThat(rig.consumer.committedOffset(P0)).isNotPositive();
    }
}
