package dev.lanekeeper.app.topics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lanekeeper.app.config.LanekeeperConfig;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TopicPlanTest {
    private static final Map<String, String> FILE = Map.of("kafka.bootstrap.servers", "localhost:9092");
    private static final Map<String, String> COMPACT = Map.of("cleanup.policy", "compact");
    private static final short BROKERS = -1;

    @Test
    void holdsEveryTopicOfTheContract() {
        assertThat(TopicPlan.of(LanekeeperConfig.load(FILE, Map.of(), Map.of())))
                .containsExactly(
                        new TopicPlan("customer-jobs", 12, BROKERS, Map.of()),
                        new TopicPlan("bulk-commands", 1, BROKERS, Map.of()),
                        new TopicPlan("lane-commands", 12, BROKERS, Map.of()),
                        new TopicPlan("job-outcomes", 12, BROKERS, Map.of()),
                        new TopicPlan("dead-letters", 3, BROKERS, Map.of()),
                        new TopicPlan("parked-records", 12, BROKERS, COMPACT),
                        new TopicPlan("lane-control", 1, BROKERS, COMPACT),
                        new TopicPlan("bulk-state", 12, BROKERS, COMPACT),
                        new TopicPlan("audit-findings", 3, BROKERS, Map.of()));
    }

    @Test
    void namesPartitionsAndCopiesAreTheUsers() {
        LanekeeperConfig config = LanekeeperConfig.load(
                FILE,
                Map.of(),
                Map.of(
                        "lanekeeper.topics", "lane-commands,other",
                        "lanekeeper.topic.partitions", "4",
                        "lanekeeper.topic.replication.factor", "3",
                        "lanekeeper.topic.outcomes", "ends"));

        assertThat(TopicPlan.of(config))
                .contains(new TopicPlan("other", 4, (short) 3, Map.of()), new TopicPlan("ends", 4, (short) 3, Map.of()))
                .filteredOn(topic -> topic.name().equals("lane-commands"))
                .hasSize(1);
    }
}
