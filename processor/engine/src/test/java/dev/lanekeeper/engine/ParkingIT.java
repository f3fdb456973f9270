package dev.lanekeeper.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.engine.handler.FailurePolicy;
import dev.lanekeeper.engine.handler.OnFailure;
import dev.lanekeeper.engine.handler.RetryPolicy;
import dev.lanekeeper.testkit.broker.KafkaFixture;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Parked customers on a broker: through a restart and a move to another instance, back in order, nothing lost. */
@Timeout(180)
class ParkingIT {
    @RegisterExtension
    static final KafkaFixture KAFKA = new KafkaFixture();

    private final Set<String> failing = ConcurrentHashMap.newKeySet();
    private final List<String> handled = Collections.synchronizedList(new ArrayList<>());
    private String parked = "";

    @BeforeEach
    void createTopic() {
        parked = KAFKA.uniqueName("parked");
        KAFKA.createTopic(parked, 2, Map.of("cleanup.policy", "compact"));
    }

    private LaneKeeper<String, String> start(Traffic traffic, String name) {
        LaneKeeper<String, String> keeper = traffic.builder(name)
                .retry(new RetryPolicy(2, Duration.ofMillis(1), Duration.ofMillis(1), 0))
                .failures(FailurePolicy.of(OnFailure.PARK_KEY))
                .parkedRecords(parked)
                .handler(delivery -> {
                    if (failing.contains(String.valueOf(delivery.key()))) {
                        throw new IOException("planned");
                    }
                    handled.add(delivery.key() + "=" + delivery.value());
                })
                .build();
        keeper.start();
        return keeper;
    }

    private void send(Traffic traffic, int from, int to, int customers) {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (int i = from; i < to; i++) {
            records.add(new ProducerRecord<>(
                    traffic.topic,
                    ("c" + i % customers).getBytes(UTF_8),
                    Integer.toString(i).getBytes(UTF_8)));
        }
        KAFKA.produce(records);
    }

    private List<Integer> of(String customer) {
        synchronized (handled) {
            return handled.stream()
                    .filter(each -> each.startsWith(customer + "="))
                    .map(each -> Integer.valueOf(each.substring(customer.length() + 1)))
                    .toList();
        }
    }

    @Test
    void whoIsParkedStaysSoThroughARestartAndComesBackInOrder() {
        try (Traffic traffic = new Traffic(KAFKA, new Random(1), 3)) {
            failing.add("c1");
            failing.add("c4");
            try (LaneKeeper<String, String> keeper = start(traffic, "first")) {
                send(traffic, 0, 60, 6);
                traffic.awaitNoLag();
                assertThat(keeper.view().parkedKeys()).hasSize(2);
            }
            assertThat(of("c1")).isEmpty();
            assertThat(of("c2")).hasSize(10);

            failing.clear();
            try (LaneKeeper<String, String> keeper = start(traffic, "second")) {
                send(traffic, 60, 120, 6);
                traffic.awaitNoLag();
                assertThat(of("c1")).isEmpty(); // although it would not fail any more
                assertThat(of("c2")).hasSize(20);
                assertThat(keeper.view().parkedKeys().stream()
                                .mapToLong(EngineView.ParkedKey::records)
                                .sum())
                        .isEqualTo(40);
                var replayed = keeper.unpark("c1".getBytes(UTF_8));
                send(traffic, 120, 180, 6);
                assertThat(replayed).succeedsWithin(Duration.ofSeconds(60));
                traffic.awaitNoLag();
                Awaitility.await().until(() -> of("c1").size() == 30);
                assertThat(of("c1")).isSorted().doesNotHaveDuplicates();
                assertThat(of("c4")).isEmpty();
            }
            try (LaneKeeper<String, String> keeper = start(traffic, "third")) { // c1 is free for the next owner too
                send(traffic, 180, 186, 6);
                traffic.awaitNoLag();
                assertThat(of("c1")).hasSize(31);
                assertThat(keeper.view().parkedKeys())
                        .extracting(key -> new String(key.laneKey().get(), UTF_8))
                        .containsExactly("c4");
                assertThat(keeper.unpark("c4".getBytes(UTF_8)))
                        .succeedsWithin(Duration.ofSeconds(60))
                        .isEqualTo(31L);
            }
            assertThat(of("c4")).hasSize(31).isSorted();
        }
    }

    @Test
    void whoIsParkedStaysSoWhenPartitionsMoveToAnotherInstance() {
        try (Traffic traffic = new Traffic(KAFKA, new Random(1), 4);
                LaneKeeper<String, String> first = start(traffic, "first")) {
            Set<String> poisoned = Set.of("c0", "c3", "c7");
            failing.addAll(poisoned);
            send(traffic, 0, 200, 10);
            traffic.awaitNoLag();
            try (LaneKeeper<String, String> second = start(traffic, "second")) {
                Awaitility.await()
                        .atMost(Duration.ofSeconds(60))
                        .until(() -> second.view().partitions().size() == 2);
                failing.clear();
                send(traffic, 200, 400, 10);
                traffic.awaitNoLag();
                assertThat(handled).noneMatch(each -> poisoned.contains(each.substring(0, each.indexOf('='))));
                for (String customer : poisoned) {
                    boolean atFirst = first.view().parkedKeys().stream()
                            .map(key -> new String(key.laneKey().get(), UTF_8))
                            .collect(Collectors.toSet())
                            .contains(customer);
                    LaneKeeper<String, String> owner = atFirst ? first : second;
                    assertThat(owner.unpark(customer.getBytes(UTF_8)))
                            .succeedsWithin(Duration.ofSeconds(60))
                            .isEqualTo(40L);
                    assertThat(of(customer)).hasSize(40).isSorted();
                }
            }
        }
    }
}
