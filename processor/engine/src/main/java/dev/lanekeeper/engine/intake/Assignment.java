package dev.lanekeeper.engine.intake;

import dev.lanekeeper.engine.offset.OffsetTracker;
import org.apache.kafka.common.TopicPartition;

/**
 * One partition, from its assignment to this consumer until it is taken away. The object's identity is the fence: a
 * completion that belongs to an earlier assignment of the same partition belongs to another object.
 *
 * <p>Confined to the poll thread but for the two flags that workers read and the figures that views read.
 */
public final class Assignment {
    private final TopicPartition topicPartition;
    private final int epoch;
    private final OffsetTracker<Routed> tracker = new OffsetTracker<>();
    private long bytes;

    /** The last frontier that the broker confirmed. */
    private long committed = -1;

    private volatile boolean throttled;
    private volatile boolean revoked;
    private volatile boolean fenced;
    private volatile long visibleFrontier = -1;
    private volatile int visibleIncomplete;

    Assignment(TopicPartition topicPartition, int epoch) {
        this.topicPartition = topicPartition;
        this.epoch = epoch;
    }

    /** Which partition. */
    public TopicPartition topicPartition() {
        return topicPartition;
    }

    /** The group's generation at the time of the assignment. */
    public int epoch() {
        return epoch;
    }

    /** Whether the partition was taken away: nothing of it may start, or start again. Any thread. */
    public boolean revoked() {
        return revoked;
    }

    /** Whether results must be dropped, since another consumer may own the partition by now. Any thread. */
    public boolean fenced() {
        return fenced;
    }

    /** Whether fetching is held back because too much of this partition is not done. Any thread. */
    public boolean throttled() {
        return throttled;
    }

    /** The commit frontier; negative before the first record. Any thread; as of the last pass of the poll loop. */
    public long frontier() {
        return visibleFrontier;
    }

    /** Records delivered and not done. Any thread; as of the last pass of the poll loop. */
    public int incomplete() {
        return visibleIncomplete;
    }

    OffsetTracker<Routed> tracker() {
        return tracker;
    }

    long bytes() {
        return bytes;
    }

    void register(long offset, int leaderEpoch, Routed routed) {
        tracker.register(offset, leaderEpoch, routed);
        bytes += routed.sizeBytes();
    }

    void complete(Routed routed) {
        if (tracker.complete(routed.sequence())) {
            bytes -= routed.sizeBytes();
        }
    }

    /** Whether all that was delivered is done, and the broker knows. */
    boolean settled() {
        return tracker.incomplete() == 0 && tracker.frontier() <= committed;
    }

    long committed() {
        return committed;
    }

    void committed(long offset) {
        committed = offset;
    }

    void throttled(boolean throttled) {
        this.throttled = throttled;
    }

    void revoke() {
        revoked = true;
    }

    void fence() {
        revoked = true;
        fenced = true;
    }

    /** Lets views see what changed in this pass of the poll loop. */
    void publish() {
        visibleFrontier = tracker.frontier();
        visibleIncomplete = tracker.incomplete();
    }

    @Override
    public String toString() {
        return topicPartition + "@" + epoch;
    }
}
