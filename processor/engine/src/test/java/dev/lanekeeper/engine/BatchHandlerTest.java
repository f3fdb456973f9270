package dev.lanekeeper.engine;

import static dev.lanekeeper.engine.EngineRig.P0;
import static dev.lanekeeper.engine.EngineRig.P1;
import static dev.lanekeeper.engine.EngineRig.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.engine.handler.BatchLimit;
import dev.lanekeeper.engine.handler.Delivery;
import dev.lanekeeper.engine.handler.FencingToken;
import dev.lanekeeper.engine.handler.HandlerContext;
import dev.lanekeeper.engine.handler.HandlerTimeout;
import dev.lanekeeper.engine.handler.RateLimit;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.MDC;

/** What waits in a lane comes at once, in order, and ends as if it had come one by one. */
@Timeout(60)
class BatchHandlerTest {
    private static final BatchLimit TEN = BatchLimit.records(10);

    @RegisterExtension
    final EngineRig rig = EngineRig.acknowledging();

    private final BatchPuppet puppet = new BatchPuppet(rig);
    private final ManualTime time = new ManualTime();

    @AfterEach
    void finishAll() {
        puppet.finishAll();
    }

    private LaneKeeper<String, String> start(UnaryOperator<LaneKeeperBuilder<String, String>> settings) {
        return rig.start(builder -> settings.apply(builder.batchHandler(puppet.handler(), TEN)));
    }

    @Test
    void whatWaitsInTheLaneComesAtOnceInOrderAndOthersDoNotWait() {
        LaneKeeper<String, String> keeper = start(settings -> settings);
        BatchPuppet.Run first = puppet.holding(keeper, "a=1", "b=x", "a=2", "a=3");
        puppet.run("x").finish();
        first.finish();
        BatchPuppet.Run batch = puppet.run("1", "2", "3");
        rig.awaitCommitted(1);
        rig.send("a=4");
        rig.awaitPasses(2);
        assertThat(puppet.batches()).as("nothing beside the batch").hasSize(3);
        assertThat(batch.batch())
                .extracting(delivery -> delivery.record().offset())
                .containsExactly(1L, 3L, 4L);
        assertThat(batch.batch())
                .extracting(Delivery::token)
                .containsExactly(
                        new FencingToken(0, "jobs", 0, 1),
                        new FencingToken(0, "jobs", 0, 3),
                        new FencingToken(0, "jobs", 0, 4));
        assertThat(batch.attempts()).containsExactly(1, 1, 1);
        batch.finish();
        puppet.run("4").finish();
        rig.awaitCommitted(6);
        assertThat(keeper.view().completed()).isEqualTo(6);
        await().until(() -> keeper.view().lanes().live() == 0);
    }

    @Test
    void aBatchHasNoMoreRecordsThanTheLimit() {
        LaneKeeper<String, String> keeper =
                rig.start(builder -> builder.batchHandler(puppet.handler(), BatchLimit.records(2)));
        puppet.holding(keeper, "a=1", "a=2", "a=3", "a=4", "a=5").finish();
        puppet.run("1", "2").finish();
        puppet.run("3", "4").finish();
        puppet.run("5").finish();
        rig.awaitCommitted(6);
    }

    @Test
    void aBatchHasNoMoreBytesThanTheLimitButForARecordAlone() {
        LaneKeeper<String, String> keeper = rig.start(builder ->
                builder.batchHandler(puppet.handler(), BatchLimit.records(9).withBytes(6)));
        puppet.holding(keeper, "a=11", "a=22", "a=3", "a=too-large", "a=44", "a=55")
                .finish();
        puppet.run("11", "22").finish(); // three bytes each, with their keys
        puppet.run("3").finish();
        puppet.run("too-large").finish();
        puppet.run("44", "55").finish();
        rig.awaitCommitted(7);
    }

    @Test
    void recordsOfTwoPartitionsAreNotInOneBatch() {
        LaneKeeper<String, String> keeper = start(settings -> settings);
        rig.consumer.assign(P1);
        BatchPuppet.Run first = puppet.holding(keeper, "a=1", "a=2");
        rig.consumer.append(P1, "a", "other");
        await().until(() -> keeper.view().polled() == 4);
        rig.awaitPasses(2);
        first.finish();
        puppet.run("1", "2").finish();
        puppet.run("other").finish();
        await().until(() -> rig.consumer.committedOffset(P1) == 1);
    }

    @Test
    void whatCantBeDecodedIsDeadLetteredInItsTurn() {
        StringDeserializer text = new StringDeserializer();
        LaneKeeper<String, String> keeper = start(settings -> settings.deserializers(text, (topic, bytes) -> {
            String value = text.deserialize(topic, bytes);
            if (value.equals("bad")) {
                throw new IllegalArgumentException("planned");
            }
            return value;
        }));
        puppet.holding(keeper, "a=1", "a=2", "a=bad", "a=3", "a=4").finish();
        puppet.run("1", "2").finish();
        assertThat(rig.deadLetter(0)).containsEntry("lanekeeper.error.stage", "decode");
        puppet.run("3", "4").finish();
        rig.awaitCommitted(6);
        assertThat(rig.sent("dead")).containsExactly("bad");
    }

    @Test
    void aBatchTakesOnePlaceAndGivesItBack() {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        try {
            LaneKeeper<String, String> keeper =
                    start(settings -> settings.executor(pool).concurrency(2));
            BatchPuppet.Run first = puppet.holding(keeper, "a=1", "a=2", "a=3");
            first.finish();
            BatchPuppet.Run batch = puppet.run("1", "2", "3");
            rig.send("b=x", "c=y");
            puppet.run("x");
            rig.awaitPasses(2);
            assertThat(puppet.batches()).as("two places").hasSize(3);
            batch.finish();
            puppet.run("y").finish();
            puppet.run("x").finish();
            rig.awaitCommitted(6);
            rig.send("d=u", "e=v");
            puppet.run("u");
            puppet.run("v");
        } finally {
            puppet.finishAll();
            rig.close();
            pool.shutdown();
        }
    }

    @Test
    void aBatchTakesOneTokenOfEachRateLimit() {
        LaneKeeper<String, String> keeper = start(settings ->
                settings.environment(time).rateLimit(new RateLimit(0.001, 3)).laneRateLimit(new RateLimit(0.001, 2)));
        puppet.holding(keeper, "a=1", "a=2", "a=3").finish();
        puppet.run("1", "2", "3").finish();
        rig.send("a=4", "b=x");
        puppet.run("x").finish(); // the engine's third
        await().until(() -> keeper.view().oldest(9).stream()
                .anyMatch(head -> head.offset() == 4 && head.doing() == LaneHead.Doing.LIMITED));
        assertThat(puppet.batches()).hasSize(3);
    }

    @Test
    void contextsAreEnteredForEachRecordTheFirstInnermost() {
        List<String> log = new CopyOnWriteArrayList<>();
        HandlerContext context = delivery -> {
            log.add("enter " + delivery.value());
            return new HandlerContext.Scope() {
                @Override
                public void leave() {
                    log.add("leave " + delivery.value());
                }

                @Override
                public void ended(@Nullable Throwable failure) {
                    log.add("ended " + delivery.value() + " " + (failure == null));
                }
            };
        };
        LaneKeeper<String, String> keeper = rig.start(builder -> builder.context(context)
                .logContext()
                .batchHandler(
                        batch -> {
                            log.add("handle at " + MDC.get(LogContext.OFFSET));
                            puppet.handler().handle(batch);
                        },
                        TEN));
        BatchPuppet.Run first = puppet.holding(keeper, "a=1", "a=2");
        log.clear();
        first.finish();
        puppet.run("1", "2").finish();
        rig.awaitCommitted(3);
        assertThat(log)
                .containsExactly(
                        "leave first",
                        "ended first true",
                        "enter 2",
                        "enter 1",
                        "handle at 1",
                        "leave 1",
                        "leave 2",
                        "ended 1 true",
                        "ended 2 true");
    }

    @Test
    void aBatchThatTakesTooLongIsToldOnceAndEachDeliveryIsCancelled() {
        List<String> cancelled = new CopyOnWriteArrayList<>();
        Duration limit = Duration.ofSeconds(10);
        LaneKeeper<String, String> keeper =
                start(settings -> settings.environment(time).handlerTimeout(HandlerTimeout.hold(limit)));
        puppet.holding(keeper, "a=1", "a=2").finish();
        BatchPuppet.Run batch = puppet.run("1", "2");
        batch.batch().forEach(delivery -> delivery.onCancel(() -> cancelled.add(String.valueOf(delivery.value()))));
        assertThat(batch.batch()).noneMatch(Delivery::cancelled);
        time.advance(limit.multipliedBy(2));
        assertThat(batch.batch()).allMatch(Delivery::cancelled);
        await().until(() -> cancelled.containsAll(List.of("1", "2")));
        assertThat(keeper.view().overdue()).isEqualTo(1);
        LaneHead head = keeper.view().oldest(1).get(0);
        assertThat(head.doing()).isEqualTo(LaneHead.Doing.OVERDUE);
        assertThat(head.offset()).isEqualTo(1);
        assertThat(head.behind()).isEqualTo(1);
        batch.finish(); // late, but it held its lane: it counts
        time.untilSoon(() -> rig.consumer.committedOffset(P0) == 3);
        time.advance(limit.multipliedBy(2));
        assertThat(keeper.view().overdue()).isEqualTo(1);
    }

    @Test
    void whatAnAttemptThatHasEndedEmitsIsRefusedForEachRecord() {
        LaneKeeper<String, String> keeper = start(settings -> settings);
        puppet.holding(keeper, "a=1", "a=2").finish();
        BatchPuppet.Run batch = puppet.run("1", "2");
        batch.finish();
        rig.awaitCommitted(3);
        ProducerRecord<byte[], byte[]> late = new ProducerRecord<>("out", "late".getBytes(UTF_8));
        assertThat(batch.batch())
                .allSatisfy(delivery ->
                        assertThatThrownBy(() -> delivery.emit(late)).isInstanceOf(IllegalStateException.class));
    }

    @Test
    void eachRecordHasAResultAfterItsOutputs() {
        LaneKeeper<String, String> keeper = start(settings -> settings.results(
                result -> List.of(new ProducerRecord<>("out", ("result of " + result.value()).getBytes(UTF_8)))));
        puppet.holding(keeper, "a=1", "a=2").emit().finish();
        puppet.run("1", "2").emit().finish();
        rig.awaitCommitted(3);
        assertThat(rig.sent("out")).containsExactly("first", "result of first", "1", "result of 1", "2", "result of 2");
    }

    @Test
    void wrongLimitsAreRefusedByNameAndValue() {
        assertThatThrownBy(() -> BatchLimit.records(0)).hasMessage("records must be at least 1: 0");
        assertThatThrownBy(() -> TEN.withBytes(-1)).hasMessage("bytes must be at least 1: -1");
    }
}
