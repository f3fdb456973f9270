package dev.lanekeeper.engine.intake;

import dev.lanekeeper.engine.offset.AheadMap;
import dev.lanekeeper.engine.offset.AheadMapCodec;
import dev.lanekeeper.engine.offset.OffsetTracker;
import dev.lanekeeper.engine.offset.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * One partition, from its assignment to this consumer until it is taken away. The object's identity is the fence: a
 * completion that belongs to an earlier assignment of the same partition belongs to another object.
 *
 * <p>Confined to the poll thread but for the flags that workers read or write, what is set aside, and the figures that
 * views read.
 */
public final class Assignment {
    private final TopicPartition topicPartition;
    private final int epoch;
    private final OffsetTracker<Routed> tracker = new OffsetTracker<>();
    private final AheadMapCodec mapCodec;
    private final Throttle.Usage usage = new Throttle.Usage();

    /** Of the topic, at a moment before anything was delivered; {@code null} if unknown. */
    private @Nullable Origin origin;

    private long bytes;

    /** Of what is not done, that which waits for retries. */
    private final AtomicInteger asideRecords = new AtomicInteger();

    private final AtomicLong asideBytes = new AtomicLong();

    /** The last frontier that the broker confirmed. */
    private long committed = -1;

    /** The tracker's {@code changes} that the broker has heard of. */
    private long committedChanges;

    private volatile boolean halted;
    /** The first leader epoch that was read from; negative if unknown. */
    private int firstLeaderEpoch = -1;

    private volatile boolean throttled;
    private volatile boolean revoked;
    private volatile boolean fenced;
    private volatile long visibleFrontier = -1;
    private volatile int visibleIncomplete;
    private volatile int mapBytes;

    Assignment(TopicPartition topicPartition, int epoch) {
        this.topicPartition = topicPartition;
        this.epoch = epoch;
        this.mapCodec = new AheadMapCodec(topicPartition.topic(), topicPartition.partition());
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

    /** Has fetching held back whatever there is room for, or no longer. Any thread; takes effect when records come next. */
    public void halt(boolean halted) {
        this.halted = halted;
    }

    boolean halted() {
        return halted;
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

    /** Size of the map of what is done ahead of the frontier, as of the last commit; 0 if there was none. Any thread. */
    public int mapBytes() {
        return mapBytes;
    }

    OffsetTracker<Routed> tracker() {
        return tracker;
    }

    AheadMapCodec mapCodec() {
        return mapCodec;
    }

    /** The topic that its records are of; {@code null} if unknown. */
    @Nullable
    Origin origin() {
        return origin;
    }

    /** Before anything is delivered. */
    void origin(@Nullable Origin topic) {
        origin = topic;
    }

    /** Begins where an earlier owner has stopped. */
    void resume(long offset, int leaderEpoch, @Nullable AheadMap map) {
        tracker.resume(offset, leaderEpoch, map);
        committed = offset;
        publish();
    }

    long bytes() {
        return bytes;
    }

    Throttle.Usage usage() {
        return usage;
    }

    /** A record waits for a retry, its own or that of a record before it in its lane. Any thread. */
    public void setAside(int sizeBytes) {
        asideRecords.incrementAndGet();
        asideBytes.addAndGet(sizeBytes);
    }

    /** It does so no longer. Any thread. */
    public void takeBack(int sizeBytes) {
        asideRecords.decrementAndGet();
        asideBytes.addAndGet(-sizeBytes);
    }

    int asideRecords() {
        return asideRecords.get();
    }

    long asideBytes() {
        return asideBytes.get();
    }

    void register(long offset, int leaderEpoch, Routed routed) {
        tracker.register(offset, leaderEpoch, routed);
        readFrom(leaderEpoch);
        bytes += routed.sizeBytes();
    }

    void complete(Routed routed) {
        if (tracker.complete(routed.sequence())) {
            bytes -= routed.sizeBytes();
        }
    }

    /** Notes that something was read that was written in {@code leaderEpoch}; negative if unknown. */
    void readFrom(int leaderEpoch) {
        if (firstLeaderEpoch < 0) {
            firstLeaderEpoch = leaderEpoch;
        }
    }

    /**
     * The leader epoch to commit the frontier with, so that the broker can tell if the log is truncated later: of the last
     * record below it or, if none was delivered, of what came first, which the log had then too. Negative if unknown.
     */
    int frontierLeaderEpoch() {
        int below = tracker.frontierLeaderEpoch();
        return below < 0 ? firstLeaderEpoch : below;
    }

    /** Whether there is anything that the broker has not heard of. */
    boolean uncommitted() {
        return tracker.frontier() > committed || tracker.changes() != committedChanges;
    }

    /** Whether all that was delivered is done, and the broker knows. */
    boolean settled() {
        return tracker.incomplete() == 0 && !uncommitted();
    }

    /** The broker has heard of this frontier, and of what was done at that moment. */
    void committed(long offset, long changes) {
        committed = Math.max(committed, offset);
        committedChanges = Math.max(committedChanges, changes);
    }

    void mapBytes(int bytes) {
        mapBytes = bytes;
    }

    void throttled(boolean throttled) {
        this.throttled = throttled;
    }

    void revoke() {
        revoked = true;
    }

    /** Takes it away, and drops whatever of it does not run; returns how many records run. */
    int dropWaiting() {
        return drop(routed -> true);
    }

    /** As {@link #dropWaiting}, but returns how many records run that foreign code may be at work on. */
    int dropWaitingForWork() {
        return drop(Routed::atWork);
    }

    private int drop(Predicate<Routed> counts) {
        revoke();
        List<Routed> running = new ArrayList<>();
        tracker.forEachIncomplete(routed -> {
            if (!routed.drop() && counts.test(routed)) {
                running.add(routed);
            }
        });
        return running.size();
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
