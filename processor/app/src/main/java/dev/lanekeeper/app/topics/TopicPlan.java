package dev.lanekeeper.app.topics;

import dev.lanekeeper.app.config.LanekeeperConfig;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A topic as it should be created.
 *
 * @param name its name
 * @param partitions how many partitions
 * @param replicationFactor copies; -1 for the broker's default
 * @param settings the topic's own settings, by Kafka's names
 */
public record TopicPlan(String name, int partitions, short replicationFactor, Map<String, String> settings) {
    private static final int DEAD_LETTER_PARTITIONS = 3;
    private static final int FINDINGS_PARTITIONS = 3;
    private static final int BULK_STATE_PARTITIONS = 12;
    private static final Map<String, String> COMPACTED = Map.of("cleanup.policy", "compact");

    /** See the record. */
    public TopicPlan {
        settings = Map.copyOf(settings);
    }

    /** Every topic that {@code config} names, in the order of the walk of a job. */
    public static List<TopicPlan> of(LanekeeperConfig config) {
        short copies = config.topicReplicationFactor();
        int perCustomer = config.topicPartitions();
        Stream<TopicPlan> jobs = config.topics().stream().map(topic -> plain(topic, perCustomer, copies));
        Stream<TopicPlan> others = Stream.of(
                plain(config.bulkCommandsTopic(), 1, copies),
                plain(config.laneCommandsTopic(), perCustomer, copies),
                plain(config.outcomesTopic(), perCustomer, copies),
                plain(config.deadLettersTopic(), DEAD_LETTER_PARTITIONS, copies),
                new TopicPlan(config.parkedRecordsTopic(), perCustomer, copies, COMPACTED),
                new TopicPlan(config.controlTopic(), 1, copies, COMPACTED),
                new TopicPlan(config.bulkStateTopic(), BULK_STATE_PARTITIONS, copies, COMPACTED),
                plain(config.findingsTopic(), FINDINGS_PARTITIONS, copies));
        List<String> jobTopics = config.topics();
        return Stream.concat(jobs, others.filter(topic -> !jobTopics.contains(topic.name())))
                .toList();
    }

    private static TopicPlan plain(String name, int partitions, short copies) {
        return new TopicPlan(name, partitions, copies, Map.of());
    }
}
