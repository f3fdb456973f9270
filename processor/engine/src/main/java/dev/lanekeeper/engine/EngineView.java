package dev.lanekeeper.engine;

import dev.lanekeeper.engine.intake.Assignment;
import dev.lanekeeper.engine.intake.IntakeCounters;
import dev.lanekeeper.lanes.LanesView;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * What an engine is doing, read without stopping anything. Thread-safe. Counts are since the start and never fall; each
 * figure is true of some moment, not all of the same one.
 */
public final class EngineView {
    private final Supplier<EngineState> state;
    private final Supplier<@Nullable Throwable> failure;
    private final Supplier<PauseState> pauseState;
    private final IntakeCounters intake;
    private final Walk.Counters walk;
    private final LanesView<Bytes> lanes;
    private final Supplier<List<Assignment>> assignments;

    EngineView(
            Supplier<EngineState> state,
            Supplier<@Nullable Throwable> failure,
            Supplier<PauseState> pauseState,
            IntakeCounters intake,
            Walk.Counters walk,
            LanesView<Bytes> lanes,
            Supplier<List<Assignment>> assignments) {
        this.state = state;
        this.failure = failure;
        this.pauseState = pauseState;
        this.intake = intake;
        this.walk = walk;
        this.lanes = lanes;
        this.assignments = assignments;
    }

    /** Where the engine is in its life. */
    public EngineState state() {
        return state.get();
    }

    /** The error that the engine can't go on from, from the moment it is known; empty while there is none. */
    public Optional<Throwable> failure() {
        return Optional.ofNullable(failure.get());
    }

    /** Whether the engine is paused. */
    public PauseState pauseState() {
        return pauseState.get();
    }

    /** Records that the consumer delivered. */
    public long polled() {
        return intake.polledTotal();
    }

    /** Records that came to a durable end: handled, or dead-lettered, with everything they caused acknowledged. */
    public long completed() {
        return intake.completedTotal();
    }

    /** Attempts that failed, those that were tried again included. */
    public long failedAttempts() {
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
                        owned.topicPartition(), owned.epoch(), owned.frontier(), owned.incomplete(), owned.throttled()))
                .toList();
    }

    /**
     * One partition that this engine owns.
     *
     * @param topicPartition which
     * @param epoch the group's generation when it was assigned
     * @param frontier the next offset to read after the unbroken done prefix; negative before the first record
     * @param incomplete records delivered and not done
     * @param throttled whether fetching is held back until some of those are done
     */
    public record PartitionView(
            TopicPartition topicPartition, int epoch, long frontier, int incomplete, boolean throttled) {}
}
