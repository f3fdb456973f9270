package dev.lanekeeper.engine;

import dev.lanekeeper.engine.intake.Assignment;
import dev.lanekeeper.engine.intake.IntakeCounters;
import dev.lanekeeper.lanes.LanesView;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
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
    private final IntSupplier concurrency;
    private final Supplier<List<LaneHead>> heads;
    private final IntakeCounters intake;
    private final Walk.Counters walk;
    private final LanesView<Bytes> lanes;
    private final Supplier<List<Assignment>> assignments;
    private final Supplier<List<StoppedPartition>> stopped;
    private final Supplier<List<ParkedKey>> parked;

    EngineView(
            Supplier<EngineState> state,
            Supplier<@Nullable Throwable> failure,
            Supplier<PauseState> pauseState,
            IntSupplier concurrency,
            IntakeCounters intake,
            Walk.Counters walk,
            LanesView<Bytes> lanes,
            Supplier<List<LaneHead>> heads,
            Supplier<List<Assignment>> assignments,
            Supplier<List<StoppedPartition>> stopped,
            Supplier<List<ParkedKey>> parked) {
        this.state = state;
        this.failure = failure;
        this.pauseState = pauseState;
        this.intake = intake;
        this.walk = walk;
        this.lanes = lanes;
        this.heads = heads;
        this.concurrency = concurrency;
        this.assignments = assignments;
        this.stopped = stopped;
        this.parked = parked;
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

    /** Records delivered again that an earlier owner of their partition had done; passed over, not completed again. */
    public long doneBefore() {
        return intake.doneBeforeTotal();
    }

    /** Attempts that failed, those that were tried again included. */
    public long failedAttempts() {
        return walk.failed().sum();
    }

    /** Records that were dead-lettered. */
    public long dead() {
        return walk.dead().sum();
    }

    /** Records that were parked. */
    public long parked() {
        return walk.parked().sum();
    }

    /** Attempts that took longer than the handler's timeout. */
    public long overdue() {
        return walk.overdue().sum();
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

    /** Partitions begun from their beginning, since their topic had been deleted and made anew under its name. */
    public long topicsMadeAnew() {
        return intake.madeAnewTotal();
    }

    /** Records that hold their lane; walks the live lanes. */
    public int inFlight() {
        return lanes.inFlight();
    }

    /** Records that wait in a lane; walks the live lanes. */
    public long queued() {
        return lanes.queued();
    }

    /** The largest number of attempts under way at once. */
    public int concurrency() {
        return concurrency.getAsInt();
    }

    /**
     * The customers whose record has headed its lane for longer than {@code age}, the longest first: what it does or waits
     * for, and what waits behind it. Walks the live lanes. A record that waits for one of the engine's own workers is not
     * seen yet: as many others as the concurrency are then, or those that are publishing.
     */
    public List<LaneHead> stuck(Duration age) {
        return oldest(head -> head.age().compareTo(age) > 0, Integer.MAX_VALUE);
    }

    /** The {@code limit} records that have headed their lane for longest; as {@link #stuck}. */
    public List<LaneHead> oldest(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("limit must not be negative: " + limit);
        }
        return oldest(head -> true, limit);
    }

    private List<LaneHead> oldest(Predicate<LaneHead> wanted, int limit) {
        return heads.get().stream()
                .filter(wanted)
                .sorted(Comparator.comparing(LaneHead::age).reversed())
                .limit(limit)
                .toList();
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

    /** Partitions in which nothing starts because of a record that failed for good. */
    public List<StoppedPartition> stoppedPartitions() {
        return stopped.get();
    }

    /** Customers whose records are parked, in the partitions that this engine owns. In no order; copies all of them. */
    public List<ParkedKey> parkedKeys() {
        return parked.get();
    }

    /**
     * A partition that is stopped.
     *
     * @param topicPartition which
     * @param offset of the record that failed for good
     * @param cause what it failed with, in words
     * @param since when it was stopped, on the engine's clock
     */
    public record StoppedPartition(TopicPartition topicPartition, long offset, String cause, Instant since) {}

    /**
     * A customer whose records of one partition are parked.
     *
     * @param laneKey the customer
     * @param topicPartition where their records come from
     * @param records how many are parked; it may be a little too few after a replay that stopped half-way
     * @param firstOffset a source offset not above that of the first
     * @param lastOffset source offset of the last
     * @param cause why the first was parked, in words
     */
    public record ParkedKey(
            Bytes laneKey,
            TopicPartition topicPartition,
            long records,
            long firstOffset,
            long lastOffset,
            String cause) {}

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
