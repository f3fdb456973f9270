package dev.lanekeeper.app.topics;

/**
 * What became of one planned topic.
 *
 * @param plan what was wanted
 * @param created whether it was created now; else it was there, and was left as it is
 * @param partitions how many it has
 */
public record TopicResult(TopicPlan plan, boolean created, int partitions) {
    /** Whether it was there with another number of partitions than planned. */
    public boolean differs() {
        return partitions != plan.partitions();
    }
}
