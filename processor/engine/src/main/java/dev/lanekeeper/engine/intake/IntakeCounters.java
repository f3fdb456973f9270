package dev.lanekeeper.engine.intake;

import java.util.concurrent.atomic.LongAdder;

/** What the poll thread counts; any thread may read. */
public final class IntakeCounters {
    private final LongAdder polled = new LongAdder();
    private final LongAdder completed = new LongAdder();
    private final LongAdder doneBefore = new LongAdder();
    private final LongAdder stale = new LongAdder();
    private final LongAdder abandoned = new LongAdder();
    private final LongAdder rebalances = new LongAdder();
    private final LongAdder commitFailures = new LongAdder();
    private final LongAdder madeAnew = new LongAdder();

    void polled(int records) {
        polled.add(records);
    }

    void completed(int records) {
        completed.add(records);
    }

    void doneBefore() {
        doneBefore.increment();
    }

    void stale() {
        stale.increment();
    }

    void abandoned(int records) {
        abandoned.add(records);
    }

    void rebalanced() {
        rebalances.increment();
    }

    void madeAnew() {
        madeAnew.increment();
    }

    LongAdder commitFailures() {
        return commitFailures;
    }

    /** Records delivered by the consumer. */
    public long polledTotal() {
        return polled.sum();
    }

    /** Records that reached a durable end under the assignment they were delivered in. */
    public long completedTotal() {
        return completed.sum();
    }

    /** Records delivered again that an earlier owner of their partition had done; passed over. */
    public long doneBeforeTotal() {
        return doneBefore.sum();
    }

    /** Completions that came after their partition had been taken away; dropped. */
    public long staleTotal() {
        return stale.sum();
    }

    /** Records that still ran when their partition was taken away. */
    public long abandonedTotal() {
        return abandoned.sum();
    }

    /** Times that partitions came or went. */
    public long rebalancesTotal() {
        return rebalances.sum();
    }

    /** Commits that the broker refused or did not answer. */
    public long commitFailuresTotal() {
        return commitFailures.sum();
    }

    /** Partitions begun from their beginning, since their topic had been deleted and made anew under its name. */
    public long madeAnewTotal() {
        return madeAnew.sum();
    }
}
