package dev.lanekeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.handler.AsyncHandler;
import dev.lanekeeper.testkit.KeyOrderLedger;
import dev.lanekeeper.testkit.Seed;
import dev.lanekeeper.testkit.broker.KafkaFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Partitions are taken from an engine hundreds of times by each of Kafka's protocols, and come back to it or go to another,
 * while handlers are busy; all three together more than a thousand times. Each time it may let what runs end: no customer is
 * ever at two owners, and nothing is done twice. What happens when it may not is ForcedRebalanceIT's matter.
 *
 * <p>A member gives its partitions up by subscribing to another topic, and takes them back by the reverse: the one way that
 * all protocols know. How long a cycle takes is a matter of heartbeats, with which the others hear of it; so these come often,
 * and several groups do this at once.
 */
@Timeout(180)
@ExtendWith(Seed.class)
class OrderlyRebalanceIT {
    /** Times that partitions are taken away, by all protocols together: to be raised where there is more time. */
    private static final int CYCLES = Integer.getInteger("lanekeeper.rebalance.cycles", 1_050);

    /** Of two members each, one of which is restless; in the others it is alone, and partitions return to it. */
    private static final int PAIRS = 4;

    private static final int LONERS = 2;
    private static final int PARTITIONS = 4;
    private static final int CUSTOMERS = 12;
    private static final int HEARTBEAT_MS = 20;

    @RegisterExtension
    static final KafkaFixture KAFKA = new KafkaFixture();

    /** The ways in which Kafka moves partitions. */
    enum Protocol {
        EAGER,
        COOPERATIVE,
        CONSUMER;

        /** Of so many cycles; one of the new protocol takes longer. */
        int share(int all) {
            return this == CONSUMER ? all / 5 : all * 2 / 5;
        }

        Map<String, Object> settings() {
            return this == CONSUMER
                    ? Map.of("group.protocol", "consumer")
                    : Map.of(
                            "group.protocol",
                            "classic",
                            "heartbeat.interval.ms",
                            HEARTBEAT_MS,
                            "partition.assignment.strategy",
                            (this == EAGER ? RangeAssignor.class : CooperativeStickyAssignor.class).getName());
        }
    }

    private final String elsewhere = KAFKA.uniqueName("elsewhere");
    private final AtomicInteger cycles = new AtomicInteger();
    private int target = CYCLES;

    /** Counts what is taken from it; and, if it is restless, gives up its topic whenever it is busy with it. */
    private class Member extends KafkaConsumer<byte[], byte[]> {
        private final Traffic traffic;
        private final boolean restless;
        private ConsumerRebalanceListener listener = new ConsumerRebalanceListener() {
            @Override
            public void onPartitionsAssigned(Collection<TopicPartition> partitions) {}

            @Override
            public void onPartitionsRevoked(Collection<TopicPartition> partitions) {}
        };
        private boolean subscribed = true;

        /** Whether it has been given anything to do since it took its topic back. */
        private boolean busy;

        Member(Traffic traffic, Protocol protocol, boolean restless) {
            super(settings(traffic.group, protocol), new ByteArrayDeserializer(), new ByteArrayDeserializer());
            this.traffic = traffic;
            this.restless = restless;
        }

        @Override
        public void subscribe(Collection<String> topics, ConsumerRebalanceListener engines) {
            listener = new ConsumerRebalanceListener() {
                @Override
                public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
                    engines.onPartitionsAssigned(partitions);
                }

                @Override
                public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
                    if (partitions.stream().anyMatch(each -> each.topic().equals(traffic.topic))) {
                        cycles.incrementAndGet();
                    }
                    revoked(engines, partitions);
                }

                @Override
                public void onPartitionsLost(Collection<TopicPartition> partitions) {
                    engines.onPartitionsLost(partitions);
                }
            };
            super.subscribe(topics, listener);
        }

        void revoked(ConsumerRebalanceListener engines, Collection<TopicPartition> partitions) {
            engines.onPartitionsRevoked(partitions);
        }

        @Override
        public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            if (restless && subscribed == hasSome() && (!subscribed || (busy && cycles.get() < target))) {
                subscribed = !subscribed;
                busy = false;
                super.subscribe(List.of(subscribed ? traffic.topic : elsewhere), listener);
            }
            ConsumerRecords<byte[], byte[]> records = super.poll(timeout);
            busy |= !records.isEmpty();
            return records;
        }

        private boolean hasSome() {
            return assignment().stream().anyMatch(each -> each.topic().equals(traffic.topic));
        }
    }

    /** One group. */
    private final class Scene implements AutoCloseable {
        private final Traffic traffic;
        private final Protocol protocol;
        private final List<LaneKeeper<String, String>> keepers = new ArrayList<>();

        Scene(Protocol protocol, Random random) {
            this.traffic = new Traffic(KAFKA, random, PARTITIONS);
            this.protocol = protocol;
        }

        void start(String name, boolean restless) {
            start(name, new Member(traffic, protocol, restless), delivery -> traffic.handleLater(name, delivery));
        }

        void start(String name, Member member, AsyncHandler<String, String> handler) {
            LaneKeeper<String, String> keeper = traffic.builder(name)
                    .consumer(() -> member)
                    .commitInterval(Duration.ofMillis(5))
                    .asyncHandler(handler)
                    .build();
            keepers.add(keeper);
            keeper.start();
        }

        void check() {
            traffic.awaitAllHandled();
            traffic.ledger().assertClean();
            traffic.awaitNoLag();
            for (LaneKeeper<String, String> keeper : keepers) {
                EngineView view = keeper.view();
                assertThat(view.state()).isEqualTo(EngineState.RUNNING);
                assertThat(view.lanes().live()).isZero();
                assertThat(view.abandoned() + view.stale()).isZero();
            }
        }

        @Override
        public void close() {
            keepers.forEach(LaneKeeper::close);
            traffic.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void noCustomerIsAtTwoOwnersHoweverOftenPartitionsMove(Protocol protocol, Random random) throws Exception {
        target = protocol.share(CYCLES);
        KAFKA.createTopic(elsewhere, 1);
        List<Scene> scenes = new ArrayList<>();
        try {
            for (int i = 0; i < PAIRS + LONERS; i++) {
                Scene scene = new Scene(protocol, new Random(random.nextLong()));
                scenes.add(scene);
                hasten(scene.traffic.group);
                scene.start("restless", true);
                if (i < PAIRS) {
                    scene.start("steady", false);
                }
            }
            while (cycles.get() < target) {
                scenes.forEach(scene -> scene.traffic.send(10, CUSTOMERS));
            }
            scenes.forEach(Scene::check);
        } finally {
            scenes.forEach(Scene::close);
        }
        assertThat(cycles).hasValueGreaterThanOrEqualTo(target);
    }

    /** Members of the new protocol beat as often as the broker has them do. */
    private static void hasten(String group) throws Exception {
        AlterConfigOp often = new AlterConfigOp(
                new ConfigEntry("consumer.heartbeat.interval.ms", Integer.toString(HEARTBEAT_MS)),
                AlterConfigOp.OpType.SET);
        KAFKA.admin()
                .incrementalAlterConfigs(Map.of(new ConfigResource(ConfigResource.Type.GROUP, group), List.of(often)))
                .all()
                .get(20, TimeUnit.SECONDS);
    }

    /** A member that lets partitions go without a wait for what runs is found out, or this would prove nothing. */
    @Test
    void aMemberThatDoesNotAwaitItsHandlersIsFoundOut(Random random) {
        KAFKA.createTopic(elsewhere, 1);
        try (Scene scene = new Scene(Protocol.EAGER, random)) {
            scene.traffic.ledger().allowRedelivery(); // which is not what is to be found
            Member hasty = new Member(scene.traffic, Protocol.EAGER, true) {
                @Override
                void revoked(ConsumerRebalanceListener engines, Collection<TopicPartition> partitions) {
                    engines.onPartitionsLost(partitions);
                }
            };
            scene.start("hasty", hasty, delivery -> scene.traffic.handleIn(300, "hasty", delivery));
            scene.start("steady", false);
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
                scene.traffic.send(4, CUSTOMERS);
                return overlaps(scene.traffic.ledger()) > 0;
            });
        }
    }

    private static long overlaps(KeyOrderLedger<String> ledger) {
        return ledger.violations().stream()
                .filter(violation -> violation.kind() == KeyOrderLedger.Kind.OVERLAP)
                .count();
    }

    private static Map<String, Object> settings(String group, Protocol protocol) {
        Map<String, Object> settings = new HashMap<>(KAFKA.clientSettings());
        settings.putAll(protocol.settings());
        settings.put("group.id", group);
        settings.put("enable.auto.commit", "false");
        settings.put("auto.offset.reset", "earliest");
        settings.put("fetch.max.wait.ms", 20);
        return settings;
    }
}
