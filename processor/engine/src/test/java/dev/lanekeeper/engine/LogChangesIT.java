package dev.lanekeeper.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.testkit.broker.KafkaFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A broker's log, or a group's offset in it, is not what it was when an engine begins: retention was there first, or an
 * operator. Edge cases 42, 43 and 47 with a broker. The value of a record is its offset.
 */
@Timeout(120)
class LogChangesIT {
    @RegisterExtension
    static final KafkaFixture KAFKA = new KafkaFixture();

    private final String topic = KAFKA.uniqueName("log");
    private final String dead = KAFKA.uniqueName("dead");
    private final String group = KAFKA.uniqueName("group");
    private final TopicPartition partition = new TopicPartition(topic, 0);
    private int sent;

    @BeforeEach
    void createTopics() {
        KAFKA.createTopic(topic, 1);
        KAFKA.createTopic(dead, 1);
    }

    private LaneKeeper<String, String> start(Puppet puppet, Map<String, Object> settings) {
        LaneKeeper<String, String> keeper = LaneKeeper.<String, String>builder()
                .kafka(KAFKA.clientSettings())
                .kafka(Map.of("group.id", group))
                .consumerSettings(settings)
                .topics(topic)
                .deserializers(new StringDeserializer(), new StringDeserializer())
                .deadLetters(dead)
                .commitInterval(Duration.ofMillis(20))
                .asyncHandler(puppet.async())
                .build();
        keeper.start();
        return keeper;
    }

    /** Each of a customer of its own. */
    private void send(int records) {
        List<ProducerRecord<byte[], byte[]>> batch = new ArrayList<>();
        for (int i = 0; i < records; i++, sent++) {
            byte[] number = Integer.toString(sent).getBytes(UTF_8);
            batch.add(new ProducerRecord<>(topic, 0, number, number));
        }
        KAFKA.produce(batch);
    }

    /** An engine has done all but those, which are at work for ever, and has been closed; what was done is committed. */
    private void doneBut(Integer... open) {
        send(12);
        Puppet puppet = new Puppet();
        LaneKeeper<String, String> keeper = start(puppet, Map.of());
        for (int i = 0; i < sent; i++) {
            Puppet.Run run = puppet.run(Integer.toString(i));
            if (!List.of(open).contains(i)) {
                run.finish();
            }
        }
        await().until(() -> keeper.view().completed() == sent - open.length);
        keeper.close(Duration.ZERO);
        assertThat(committed().offset()).isEqualTo(open.length == 0 ? sent : (long) open[0]);
    }

    private OffsetAndMetadata committed() {
        OffsetAndMetadata committed = KAFKA.committedOffsets(group).get(partition);
        assertThat(committed).isNotNull();
        return committed;
    }

    private void retainFrom(long offset) throws Exception {
        KAFKA.admin()
                .deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(offset)))
                .all()
                .get(20, TimeUnit.SECONDS);
    }

    /** Once the group is known to be empty. */
    private void resetTo(OffsetAndMetadata offset) {
        await().ignoreExceptions().until(() -> {
            KAFKA.admin()
                    .alterConsumerGroupOffsets(group, Map.of(partition, offset))
                    .all()
                    .get(20, TimeUnit.SECONDS);
            return true;
        });
    }

    /** What an engine that begins now handles until nothing is left. */
    private List<Integer> handledFromNowOn() {
        send(1);
        Puppet puppet = new Puppet();
        try (LaneKeeper<String, String> keeper = start(puppet, Map.of())) {
            await().until(() -> {
                puppet.finishAll();
                return KAFKA.lag(group, topic) == 0;
            });
            assertThat(keeper.view().state()).isEqualTo(EngineState.RUNNING);
            assertThat(keeper.view().lanes().live()).isZero();
        }
        TreeSet<Integer> handled = new TreeSet<>();
        puppet.values()
                .forEach(value -> assertThat(handled.add(Integer.parseInt(value)))
                        .as("once: " + value)
                        .isTrue());
        return List.copyOf(handled);
    }

    @Test
    void retentionAheadOfTheGroupIsPassedOver() throws Exception {
        doneBut(IntStream.range(3, 12).boxed().toArray(Integer[]::new));
        retainFrom(6);
        assertThat(handledFromNowOn()).containsExactly(6, 7, 8, 9, 10, 11, 12);
    }

    /** What is known of the rest holds: of those that are left, only the unfinished run. */
    @Test
    void retentionAheadOfTheGroupLeavesTheRestOfTheMap() throws Exception {
        doneBut(1, 4, 8);
        assertThat(committed().metadata()).isNotEmpty();
        retainFrom(6);
        assertThat(handledFromNowOn()).containsExactly(8, 12);
    }

    /** Of an engine that runs, too. */
    @Test
    void retentionAheadOfARunningEngineIsPassedOver() throws Exception {
        Puppet puppet = new Puppet();
        try (LaneKeeper<String, String> keeper = start(puppet, Map.of())) {
            send(1);
            puppet.run("0").finish();
            await().until(() -> KAFKA.lag(group, topic) == 0);
            try (var pause = keeper.pause(Duration.ofSeconds(20)).get()) {
                assertThat(pause).isNotNull();
                send(10);
                retainFrom(8);
            }
            puppet.run("8").finish();
            puppet.run("9").finish();
            puppet.run("10").finish();
            puppet.finishAll(); // those that were fetched before they went, if there were any
            await().until(() -> {
                puppet.finishAll();
                return KAFKA.lag(group, topic) == 0;
            });
            assertThat(keeper.view().state()).isEqualTo(EngineState.RUNNING);
        }
    }

    /** Nothing is guessed where a user wants none to be: the engine ends, and what is committed stays. */
    @Test
    void withoutAResetPolicyAnOffsetThatIsGoneEndsTheEngine() throws Exception {
        doneBut(IntStream.range(3, 12).boxed().toArray(Integer[]::new));
        retainFrom(6);
        endsBy(OffsetOutOfRangeException.class);
        assertThat(committed().offset()).isEqualTo(3);
    }

    @Test
    void withoutAResetPolicyAGroupWithoutOffsetsEndsTheEngine() {
        send(1);
        endsBy(NoOffsetForPartitionException.class);
        assertThat(KAFKA.committedOffsets(group)).isEmpty();
    }

    private void endsBy(Class<? extends Exception> cause) {
        Puppet puppet = new Puppet();
        LaneKeeper<String, String> keeper = start(puppet, Map.of("auto.offset.reset", "none"));
        assertThatThrownBy(() -> keeper.terminated().get(40, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(cause);
        assertThat(keeper.view().state()).isEqualTo(EngineState.FAILED);
        assertThat(puppet.started()).isEmpty();
    }

    /** Back to what is done, or on to what is not; the tools that do it keep no metadata. */
    @ParameterizedTest
    @ValueSource(ints = {0, 5, 9, 12})
    void offsetsThatAreResetCountAndTheMapIsGone(int offset) {
        doneBut(1, 4, 8);
        resetTo(new OffsetAndMetadata(offset));
        assertThat(handledFromNowOn())
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(offset, 12).boxed().toList());
    }

    /** One that keeps the metadata moves a map that was made for another offset. */
    @ParameterizedTest
    @ValueSource(ints = {0, 5})
    void aMapThatIsMovedAlongIsNotBelieved(int offset) {
        doneBut(1, 4, 8);
        String map = committed().metadata();
        resetTo(new OffsetAndMetadata(offset, map));
        assertThat(handledFromNowOn())
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(offset, 12).boxed().toList());
    }

    /** An offset beyond the end is as good as none. */
    @Test
    void anOffsetBeyondTheEndBeginsAtTheEarliest() {
        doneBut();
        resetTo(new OffsetAndMetadata(100));
        assertThat(handledFromNowOn())
                .containsExactlyElementsOf(IntStream.rangeClosed(0, 12).boxed().toList());
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(40)).pollInterval(Duration.ofMillis(10));
    }
}
