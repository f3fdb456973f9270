package dev.lanekeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.testkit.Seed;
import dev.lanekeeper.testkit.broker.KafkaFixture;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToLongFunction;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Engines join and leave while records flow (PC#857, PC#777, PC#843 and the churn storms of its fork): no customer out of
 * order or with two owners at once, and nothing lost.
 */
@Timeout(180)
@ExtendWith(Seed.class)
class RebalanceIT {
    private static final int RECORDS_A_TURN = 400;

    @RegisterExtension
    static final KafkaFixture KAFKA = new KafkaFixture();

    /** The ways in which Kafka moves partitions. */
    enum Protocol {
        EAGER {
            @Override
            Map<String, Object> settings() {
                return Map.of("group.protocol", "classic", "heartbeat.interval.ms", SOON);
            }
        },
        COOPERATIVE {
            @Override
            Map<String, Object> settings() {
                return Map.of(
                        "group.protocol",
                        "classic",
                        "heartbeat.interval.ms",
                        SOON,
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

        /** A member hears of a rebalance with its next heartbeat. */
        private static final int SOON = 200;

        abstract Map<String, Object> settings();
    }

    private final Deque<LaneKeeper<String, String>> running = new ArrayDeque<>();
    private final List<LaneKeeper<String, String>> all = new ArrayList<>();
    private Duration commitInterval = Duration.ofMillis(50);

    /** Whatever ends in whatever order while partitions move: nothing is done twice. */
    @ParameterizedTest
    @EnumSource
    void enginesComeAndGoWhileRecordsFlow(Protocol protocol, Random random) {
        try (Traffic traffic = new Traffic(KAFKA, random, 6)) {
            churn(traffic, protocol, random, 7, 60);
            traffic.ledger().assertClean();
            assertThat(traffic.ledger().peakInProgress()).isGreaterThan(1);
            assertThat(sum(EngineView::completed)).isEqualTo(7 * RECORDS_A_TURN);
        }
    }

    /** Commits come from revocations and closes alone, and each has all that is done: nothing is done twice. */
    @ParameterizedTest
    @EnumSource
    void whatIsDoneWhenPartitionsMoveIsNotDoneAgain(Protocol protocol, Random random) {
        commitInterval = Duration.ofHours(1);
        try (Traffic traffic = new Traffic(KAFKA, random, 6)) {
            churn(traffic, protocol, random, 4, 60);
            traffic.ledger().assertClean();
            assertThat(sum(EngineView::completed)).isEqualTo(4 * RECORDS_A_TURN);
        }
    }

    private void churn(Traffic traffic, Protocol protocol, Random random, int turns, int customers) {
        try {
            start(traffic, protocol);
            for (int turn = 0; turn < turns; turn++) {
                traffic.send(RECORDS_A_TURN, customers);
                if (commitInterval.compareTo(Duration.ofMinutes(1)) > 0) {
                    traffic.awaitAllHandled();
                }
                if (running.size() == 3 || (running.size() == 2 && random.nextBoolean())) {
                    running.removeFirst().close();
                } else {
                    start(traffic, protocol);
                }
            }
            traffic.awaitAllHandled();
        } finally {
            running.forEach(LaneKeeper::close);
        }
        assertThat(KAFKA.lag(traffic.group, traffic.topic)).isZero();
        assertThat(all).hasSizeGreaterThan(2).allSatisfy(keeper -> {
            assertThat(keeper.view().state()).isEqualTo(EngineState.CLOSED);
            assertThat(keeper.view().lanes().live()).isZero();
        });
        assertThat(sum(EngineView::abandoned) + sum(EngineView::stale)).isZero();
    }

    private long sum(ToLongFunction<EngineView> figure) {
        return all.stream()
                .mapToLong(keeper -> figure.applyAsLong(keeper.view()))
                .sum();
    }

    /** Starts one and waits until it has a share, so that each turn is a rebalance of its own. */
    private void start(Traffic traffic, Protocol protocol) {
        String name = "engine-" + all.size();
        LaneKeeper<String, String> keeper = traffic.builder(name)
                .kafka(protocol.settings())
                .commitInterval(commitInterval)
                .asyncHandler(delivery -> traffic.handleLater(name, delivery))
                .build();
        all.add(keeper);
        running.addLast(keeper);
        keeper.start();
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> !keeper.view().partitions().isEmpty());
    }
}
