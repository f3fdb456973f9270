package dev.lanekeeper.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.testkit.broker.KafkaFixture;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Edge case 45: a topic is deleted and made anew under its name. Every record of the new one is handled. */
@Timeout(180)
class TopicMadeAnewIT {
    private static final int OLD = 20;
    private static final int NEW = 30;

    @RegisterExtension
    static final KafkaFixture KAFKA = new KafkaFixture();

    private final String topic = KAFKA.uniqueName("anew");
    private final String dead = KAFKA.uniqueName("dead");
    private final String group = KAFKA.uniqueName("group");
    private final TopicPartition partition = new TopicPartition(topic, 0);
    private final Queue<String> handled = new ConcurrentLinkedQueue<>();

    /** Holds back the record "old-held" until the new topic is there. */
    private final CountDownLatch madeAnew = new CountDownLatch(1);

    @BeforeEach
    void createTopics() {
        KAFKA.createTopic(topic, 1);
        KAFKA.createTopic(dead, 1);
    }

    @ParameterizedTest
    @EnumSource
    void underARunningEngine(TopicChangesIT.Protocol protocol) throws Exception {
        try (LaneKeeper<String, String> keeper = start(protocol)) {
            doTheOldOnes();
            makeAnew();
            send("new", NEW);
            awaitTheNewOnes();
            assertThat(keeper.view().state()).isEqualTo(EngineState.RUNNING);
            await().until(() -> KAFKA.lag(group, topic) == 0);
        }
    }

    /** What ends when the new topic is there already is committed under its name. */
    @ParameterizedTest
    @EnumSource
    void whileARecordOfTheOldOneRuns(TopicChangesIT.Protocol protocol) throws Exception {
        try (LaneKeeper<String, String> keeper = start(protocol)) {
            doTheOldOnes();
            send("held", 1);
            await().until(() -> keeper.view().inFlight() == 1);
            makeAnew();
            madeAnew.countDown();
            send("new", NEW);
            awaitTheNewOnes();
            await().until(() -> KAFKA.lag(group, topic) == 0);
        }
    }

    /** The broker forgets the offsets of a topic that is deleted; a commit on its way then comes to the new one. */
    @ParameterizedTest
    @EnumSource
    void whileNoEngineRuns(TopicChangesIT.Protocol protocol) throws Exception {
        try (LaneKeeper<String, String> keeper = start(protocol)) {
            doTheOldOnes();
            assertThat(keeper.view().topicsMadeAnew()).isZero();
        }
        OffsetAndMetadata late = Optional.ofNullable(
                        KAFKA.committedOffsets(group).get(partition))
                .orElseThrow();
        assertThat(late.offset()).isEqualTo(OLD);
        makeAnew();
        send("new", NEW);
        KAFKA.admin()
                .alterConsumerGroupOffsets(group, Map.of(partition, late))
                .all()
                .get(20, TimeUnit.SECONDS);
        try (LaneKeeper<String, String> keeper = start(protocol)) {
            awaitTheNewOnes();
            assertThat(keeper.view().topicsMadeAnew()).isEqualTo(1);
            await().until(() -> KAFKA.lag(group, topic) == 0);
        }
        long before = handled.size();
        try (LaneKeeper<String, String> keeper = start(protocol)) {
            send("newer", 1);
            await().until(() -> handled.contains("newer-0"));
            assertThat(keeper.view().topicsMadeAnew()).isZero();
        }
        assertThat(handled).as("the new topic's offset is believed").hasSize((int) before + 1);
    }

    private void doTheOldOnes() {
        send("old", OLD);
        await().until(() -> handled.size() == OLD);
        await().until(() -> KAFKA.lag(group, topic) == 0);
    }

    private void awaitTheNewOnes() {
        List<String> all =
                IntStream.range(0, NEW).mapToObj(each -> "new-" + each).toList();
        await().untilAsserted(() -> assertThat(handled).containsAll(all));
    }

    private LaneKeeper<String, String> start(TopicChangesIT.Protocol protocol) {
        LaneKeeper<String, String> keeper = LaneKeeper.<String, String>builder()
                .kafka(KAFKA.clientSettings())
                .kafka(Map.of("group.id", group, "metadata.max.age.ms", 100)) // hears of changes soon
                .consumerSettings(protocol.settings())
                .topics(topic)
                .deserializers(new StringDeserializer(), new StringDeserializer())
                .deadLetters(dead)
                .commitInterval(Duration.ofMillis(50))
                .handler(delivery -> {
                    String value = String.valueOf(delivery.value());
                    if (value.startsWith("held")) {
                        madeAnew.await();
                    }
                    handled.add(value);
                })
                .build();
        keeper.start();
        return keeper;
    }

    private void send(String prefix, int records) {
        KAFKA.produce(IntStream.range(0, records)
                .mapToObj(each -> new ProducerRecord<>(
                        topic, 0, ("c-" + each % 5).getBytes(UTF_8), (prefix + "-" + each).getBytes(UTF_8)))
                .toList());
    }

    /** As quickly as it can be: whoever looks at names alone sees nothing. */
    private void makeAnew() throws Exception {
        KAFKA.admin().deleteTopics(List.of(topic)).all().get(20, TimeUnit.SECONDS);
        await().until(() -> {
            KAFKA.admin()
                    .createTopics(List.of(new NewTopic(topic, 1, (short) 1)))
                    .all()
                    .get(20, TimeUnit.SECONDS);
            return true;
        });
    }

    private static ConditionFactory await() {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(50))
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptions(); // a topic that has just been deleted, or made
    }
}
