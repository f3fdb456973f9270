package dev.lanekeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.engine.handler.FailurePolicy;
import dev.lanekeeper.engine.handler.FailurePolicy.Verdict;
import dev.lanekeeper.engine.handler.OnFailure;
import dev.lanekeeper.engine.intake.ScriptedConsumer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A wrong argument is refused at the call, with its name and value; what is missing, when the engine is built. */
class LaneKeeperBuilderTest {
    private final ScriptedConsumer consumer = new ScriptedConsumer(true);

    private LaneKeeperBuilder<String, String> complete() {
        return LaneKeeper.<String, String>builder()
                .topics("jobs")
                .deserializers(new StringDeserializer(), new StringDeserializer())
                .handler(delivery -> {})
                .consumer(() -> consumer)
                .producer(MockProducer::new);
    }

    @Test
    void whatIsCompleteIsBuiltAndNotStarted() {
        try (LaneKeeper<String, String> keeper = complete().build()) {
            assertThat(keeper.view().state()).isEqualTo(EngineState.NEW);
            assertThat(consumer.subscribed()).isFalse();
        }
    }

    /** A replay takes records out of the parking topic without an offset to commit, so in no transaction of the engine's. */
    @Test
    void exactlyOnceParksNobody() {
        for (LaneKeeperBuilder<String, String> parking : List.of(
                complete().failures(FailurePolicy.of(OnFailure.PARK_KEY)),
                complete().failures(FailurePolicy.DEFAULT.when(IllegalStateException.class, Verdict.PARK)),
                complete().parkedRecords("parked"))) {
            assertThatThrownBy(parking.exactlyOnce("copy-1")::build)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("records can't be parked with exactly-once delivery")
                    .hasMessageContaining("\"copy-1\"");
        }
        assertThatThrownBy(() -> complete().exactlyOnce(" "))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("transactionalId must not be blank");
        complete()
                .exactlyOnce("copy-1")
                .failures(FailurePolicy.of(OnFailure.STOP_PARTITION))
                .settings();
    }

    @Test
    void whatIsMissingIsNamed() {
        LaneKeeperBuilder<String, String> builder = LaneKeeper.builder();
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("deserializers");
        builder.deserializers(new StringDeserializer(), new StringDeserializer());
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("handler");
        builder.handler(delivery -> {});
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("topics");
        builder.topics("jobs");
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("group.id");
        builder.kafka(Map.of("group.id", "g"));
        assertThatThrownBy(builder::build).isInstanceOf(KafkaException.class);
    }

    @Test
    void numbersThatMakeNoSenseAreRefusedWithNameAndValue() {
        refused(builder -> builder.concurrency(0), "concurrency must be at least 1: 0");
        refused(builder -> builder.bufferRecords(-3), "bufferRecords must be positive: -3");
        refused(builder -> builder.bufferBytes(0), "bufferBytes must be positive: 0");
        refused(builder -> builder.commitInterval(Duration.ZERO), "commitInterval must be positive: 0");
        refused(builder -> builder.drainTimeout(Duration.ofSeconds(-1)), "drainTimeout must not be negative: PT-1S");
    }

    @Test
    void topicsThatAreNoneAreRefused() {
        refused(builder -> builder.topics(), "topics must be one or more names: []");
        refused(builder -> builder.topics(List.of("a", " ")), "topics must be one or more names: [a,  ]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "dead letters", "dead/letters", "tödlich"})
    void aDeadLetterTopicThatKafkaCannotHaveIsRefused(String topic) {
        refused(
                builder -> builder.deadLetters(topic),
                "the dead-letter topic must be 1 to 249 letters, digits, '.', '_' or '-': \"" + topic + "\"");
    }

    /** A record that fails would come back and fail again, for ever. */
    @Test
    void aDeadLetterTopicThatIsConsumedIsRefused() {
        assertThatThrownBy(complete().topics("jobs", "dead-letters")::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("dead-letters");
        assertThatThrownBy(complete().topics(Pattern.compile("dead.*"))::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("dead-letters");
    }

    @Test
    @SuppressWarnings("NullAway") // what a caller without null checks hands over
    void nullIsRefusedByName() {
        LaneKeeperBuilder<String, String> builder = complete();
        assertThatNullPointerException().isThrownBy(() -> builder.handler(null)).withMessage("handler");
        assertThatNullPointerException()
                .isThrownBy(() -> builder.asyncHandler(null))
                .withMessage("handler");
        assertThatNullPointerException().isThrownBy(() -> builder.laneKey(null)).withMessage("laneKey");
        assertThatNullPointerException().isThrownBy(() -> builder.retry(null)).withMessage("retry");
        assertThatNullPointerException().isThrownBy(() -> builder.results(null)).withMessage("results");
        assertThatNullPointerException()
                .isThrownBy(() -> builder.executor(null))
                .withMessage("executor");
        assertThatNullPointerException().isThrownBy(() -> builder.clock(null)).withMessage("clock");
        assertThatNullPointerException().isThrownBy(() -> builder.random(null)).withMessage("random");
        assertThatNullPointerException().isThrownBy(() -> builder.name(null)).withMessage("name");
        assertThatNullPointerException()
                .isThrownBy(() -> builder.deserializers(null, new StringDeserializer()))
                .withMessage("keys");
        assertThatNullPointerException()
                .isThrownBy(() -> builder.deserializers(new StringDeserializer(), null))
                .withMessage("values");
        assertThatNullPointerException()
                .isThrownBy(() -> builder.topics((Pattern) null))
                .withMessage("pattern");
    }

    /** A revocation must be over well before the group gives the member up. */
    @Test
    void theDrainTimeoutIsBoundedByTheTimeBetweenPolls() {
        LaneKeeperBuilder<String, String> builder = LaneKeeper.<String, String>builder()
                .topics("jobs")
                .deserializers(new StringDeserializer(), new StringDeserializer())
                .handler(delivery -> {})
                .consumerSettings(Map.of("max.poll.interval.ms", 10_000));
        assertThat(builder.drainTimeout(Duration.ofHours(1)).settings().intake().drainTimeout())
                .isEqualTo(Duration.ofSeconds(5));
        assertThat(builder.drainTimeout(Duration.ofSeconds(2))
                        .settings()
                        .intake()
                        .drainTimeout())
                .isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void aProducerThatCannotBeMadeClosesTheConsumer() {
        LaneKeeperBuilder<String, String> builder = complete().producer(() -> {
            throw new IllegalArgumentException("no producer");
        });
        assertThatThrownBy(builder::build).hasMessage("no producer");
        assertThat(consumer.closed()).isTrue();
    }

    private void refused(Consumer<LaneKeeperBuilder<String, String>> call, @Nullable String message) {
        assertThatThrownBy(() -> call.accept(complete()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
