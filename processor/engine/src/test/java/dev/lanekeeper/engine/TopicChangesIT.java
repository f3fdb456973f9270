package dev.lanekeeper.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.testkit.broker.KafkaFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
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

/** Topics that are deleted or get partitions while an engine consumes them: edge cases 44 and 46. */
@Timeout(120)
class TopicChangesIT {
    @RegisterExtension
    static final KafkaFixture KAFKA = new KafkaFixture();

    /** How a group hears of such changes: from a member, or from the broker. */
    enum Protocol {
        CLASSIC {
            @Override
            Map<String, Object> settings() {
                return Map.of(
                        "group.protocol",
                        "classic",
                        "heartbeat.interval.ms",
                        200,
                        "partition.assignment.strategy",
                        CooperativeStickyAssignor.class.getName());
            }
        },
        CONSUMER {
            @Override
            Map<String, Object> settings() {
                return Map.of("group.protocol", "consumer");
            }
        };

        abstract Map<String, Object> settings();
    }

    private final Puppet puppet = new Puppet();
    private final String changing = KAFKA.uniqueName("changing");
    private final String other = KAFKA.uniqueName("other");
    private final String dead = KAFKA.uniqueName("dead");
    private final String group = KAFKA.uniqueName("group");

    @BeforeEach
    void createTopics() {
        KAFKA.createTopic(changing, 1);
        KAFKA.createTopic(other, 1);
        KAFKA.createTopic(dead, 1);
    }

    /** Edge case 44: what runs ends, what comes of it is dropped, and the other topic goes on. */
    @ParameterizedTest
    @EnumSource
    void aTopicThatIsDeletedDoesNotTakeTheEngineWithIt(Protocol protocol) throws Exception {
        try (LaneKeeper<String, String> keeper = start(protocol)) {
            send(changing, 0, "a", "of the deleted");
            send(other, 0, "b", "before");
            Puppet.Run run = puppet.run("of the deleted");
            puppet.run("before").finish();
            delete(changing);
            run.finish();
            await().until(() -> partitionsOf(keeper, changing) == 0);
            send(other, 0, "a", "after"); // the lane of the same customer
            puppet.run("after").finish();
            await().until(() -> KAFKA.lag(group, other) == 0);
            assertThat(keeper.view().state()).isEqualTo(EngineState.RUNNING);
            assertThat(keeper.view().lanes().live()).isZero();
        }
    }

    /**
     * The last commit of a topic that is gone can't succeed. Whoever waits for it too long leaves the group, and loses what it
     * is working on elsewhere.
     */
    @ParameterizedTest
    @EnumSource
    void theLastCommitOfADeletedTopicTakesNothingFromTheOthers(Protocol protocol) throws Exception {
        try (LaneKeeper<String, String> keeper = start(protocol, Map.of("max.poll.interval.ms", 6_000))) {
            send(changing, 0, "a", "of the deleted");
            send(other, 0, "b", "lasting");
            Puppet.Run lasting = puppet.run("lasting");
            Puppet.Run run = puppet.run("of the deleted");
            delete(changing);
            run.finish();
            await().until(() -> partitionsOf(keeper, changing) == 0);
            send(other, 0, "c", "after");
            puppet.run("after").finish();
            lasting.finish();
            await().until(() -> KAFKA.lag(group, other) == 0);
            assertThat(puppet.values()).containsExactlyInAnyOrder("lasting", "of the deleted", "after");
            assertThat(keeper.view().abandoned()).isZero();
        }
    }

    /** Edge case 46: a customer's records go to another partition from now on. Their order is Kafka's, their lane is one. */
    @ParameterizedTest
    @EnumSource
    void aCustomerWhoMovesToANewPartitionKeepsTheLane(Protocol protocol) throws Exception {
        try (LaneKeeper<String, String> keeper = start(protocol)) {
            send(changing, 0, "a", "first");
            Puppet.Run first = puppet.run("first");
            KAFKA.admin()
                    .createPartitions(Map.of(changing, NewPartitions.increaseTo(3)))
                    .all()
                    .get(20, TimeUnit.SECONDS);
            send(changing, 2, "a", "moved");
            send(changing, 2, "b", "other customer"); // behind it in the partition
            puppet.run("other customer").finish();
            assertThat(partitionsOf(keeper, changing)).isEqualTo(3);
            assertThat(puppet.values()).doesNotContain("moved");
            first.finish();
            puppet.run("moved").finish();
            await().until(() -> KAFKA.lag(group, changing) == 0);
        }
    }

    private LaneKeeper<String, String> start(Protocol protocol) {
        return start(protocol, Map.of());
    }

    private LaneKeeper<String, String> start(Protocol protocol, Map<String, Object> settings) {
        LaneKeeper<String, String> keeper = LaneKeeper.<String, String>builder()
                .kafka(KAFKA.clientSettings())
                .kafka(Map.of("group.id", group, "metadata.max.age.ms", 100)) // hears of changes soon
                .consumerSettings(protocol.settings())
                .consumerSettings(settings)
                .topics(changing, other)
                .deserializers(new StringDeserializer(), new StringDeserializer())
                .deadLetters(dead)
                .commitInterval(Duration.ofMillis(50))
                .asyncHandler(puppet.async())
                .build();
        keeper.start();
        await().until(() -> partitionsOf(keeper, changing) == 1 && partitionsOf(keeper, other) == 1);
        return keeper;
    }

    private static void send(String topic, int partition, String key, String value) {
        KAFKA.produce(List.of(new ProducerRecord<>(topic, partition, key.getBytes(UTF_8), value.getBytes(UTF_8))));
    }

    private static void delete(String topic) throws Exception {
        KAFKA.admin().deleteTopics(List.of(topic)).all().get(20, TimeUnit.SECONDS);
        await().until(() -> !KAFKA.admin().listTopics().names().get().contains(topic));
    }

    private static long partitionsOf(LaneKeeper<?, ?> keeper, String topic) {
        List<TopicPartition> found = new ArrayList<>();
        keeper.view().partitions().forEach(each -> found.add(each.topicPartition()));
        return found.stream().filter(each -> each.topic().equals(topic)).count();
    }

    private static ConditionFactory await() {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(40))
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptions(); // a topic that has just been deleted, or made
    }
}
