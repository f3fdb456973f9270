package dev.lanekeeper.engine;

import dev.lanekeeper.engine.intake.Assignment;
import dev.lanekeeper.engine.intake.IntakeCounters;
import dev.lanekeeper.lanes.LanesView;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;

/**
 * What an engine is doing, read without stopping anything. Thread-safe. Counts are since the start and never fall; each
 * figure is true of some moment, not all of the same one.
 */
public final class EngineView {
    private final Supplier<EngineState> state;
    private final IntakeCounters intake;
    private final Walk.Counters walk;
    private final LanesView<Bytes> lanes;
    private final Supplier<List<Assignment>> assignments;

    EngineView(
            Supplier<EngineState> state,
            IntakeCounters intake,
            Walk.Counters walk,
            LanesView<Bytes> lanes,
            Supplier<List<Assignment>> assignments) {
        this.state = state;
        this.intake = intake;
        this.walk = walk;
        this.lanes = lanes;
        this.assignments = assignments;
    }

    /** Where the engine is in its life. */
    public EngineState state() {
        return state.get();
    }

    /** Records that the consumer delivered. */
    public long polled() {
        return intake.polledTotal();
    }

    /** Records that came to a durable end: handled, or dead-lettered, with everything they caused acknowledged. */
    public long completed() {
        return intake.completedTotal();
    }

    /** Records delivered again that an earlier owner of their partition had done; passed over, not completed again. */
    public long doneBefore() {
        return intake.doneBeforeTotal();
    }

    /** Attempts that failed, those that were tried again included. */
    public long failed() {
        return walk.failed().sum();
    }

    /** Records that were dead-lettered. */
    public long dead() {
        return walk.dead().sum();
    }

    /** Completions dropped because their partition had been taken away. */
    public long stale() {
        return intake.staleTotal();
    }

    /** Completions of attempts that had ended already. */
    public long late() {
        return walk.late().sum();
    }

    /** Records that still ran when their partition was taken away. */
    public long abandoned() {
        return intake.abandonedTotal();
    }

    /** Times that partitions came or went. */
    public long rebalances() {
        return intake.rebalancesTotal();
    }

    /** Commits that failed; each is made up for by a later one. */
    public long commitFailures() {
        return intake.commitFailuresTotal();
    }

    /** Records that hold their lane; walks the live lanes. */
    public int inFlight() {
        return lanes.inFlight();
    }

    /** Records that wait in a lane; walks the live lanes. */
    public long queued() {
        return lanes.queued();
    }

    /** The lanes, by lane key. */
    public LanesView<Bytes> lanes() {
        return lanes;
    }

    /** The partitions this engine owns. */
    public List<PartitionView> partitions() {
        return assignments.get().stream()
                .map(owned -> new PartitionView(
                        owned.topicPartition(),
                        owned.epoch(),
                        owned.frontier(),
                        owned.incomplete(),
                        owned.mapBytes(),
                        owned.throttled()))
                .toList();
    }

    /**
     * One partition that this engine owns.
     *
     * @param topicPartition which
     * @param epoch the group's generation when it was assigned
     * @param frontier the next offset to read after the unbroken done prefix; negative before the first record
     * @param incomplete records delivered and not done
     * @param mapBytes size of the map of what is done ahead of the frontier, as of the last commit
     * @param throttled whether fetching is held back until some of those are done
     */
    public record PartitionView(
            TopicPartition topicPartition, int epoch, long frontier, int incomplete, int mapBytes, boolean throttled) {}
}
