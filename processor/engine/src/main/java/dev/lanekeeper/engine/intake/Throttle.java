package dev.lanekeeper.engine.intake;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Throttles partitions whose records are not done fast enough, that is, fetches nothing of them while the consumer polls on.
 * Confined to the poll thread.
 *
 * <p>Buffers are shared as {@link Budget} says: a hot partition uses what the others don't, and never what is kept for them.
 * It is throttled when it is full and let go when it is half full; what one poll brings beyond that is admitted. As soon as
 * nothing is left to borrow, whoever has borrowed is throttled, so that only partitions below their floor still fetch.
 *
 * <p>The third budget is that of the map in the commits, which has a largest size: records that are not done may lie so
 * far apart, and in such numbers, that it fits whatever ends first. Done ones between them count for next to nothing, so
 * one record that never ends does not stop its partition.
 *
 * <p>A pass looks at partitions that got records, at throttled ones of which records ended, and, while there are throttled ones, at a
 * few others of those and of those that have borrowed, in turn: for what their customers set aside meanwhile, and for
 * what others have given back. However many partitions there are, it costs no more.
 */
final class Throttle {
    /** So much of the window is filled; the rest is for what one more poll brings. */
    private static final double WINDOW_SHARE = 0.75;

    /** So many throttled partitions, and borrowers, are looked at in a pass though nothing of theirs has ended. */
    private static final int LOOKS = 16;

    private final Consumer<byte[], byte[]> consumer;
    private final int window;
    private final Budget records;
    private final Budget bytes;

    /** Those looked at longest ago come first. */
    private final Set<Assignment> throttled = new LinkedHashSet<>();

    /** Throttled ones of which records ended since they were looked at. */
    private final Set<Assignment> lighter = new LinkedHashSet<>();

    /** Those that may have borrowed and are not throttled; those looked at longest ago come first. */
    private final Set<Assignment> borrowers = new LinkedHashSet<>();

    Throttle(Consumer<byte[], byte[]> consumer, IntakeSettings settings) {
        this.consumer = consumer;
        this.window = settings.window();
        this.records = new Budget(settings.bufferRecords());
        this.bytes = new Budget(settings.bufferBytes());
    }

    /** What of a partition has been counted against the budgets. */
    static final class Usage {
        private long records;
        private long bytes;
    }

    /** Divides the buffers among these partitions from now on. */
    void share(Collection<Assignment> owned) {
        records.share(owned.size());
        bytes.share(owned.size());
        for (Assignment assignment : owned) {
            records.count(0, assignment.usage().records);
            bytes.count(0, assignment.usage().bytes);
        }
    }

    /** Called after {@code assignment} got records. */
    void received(Assignment assignment) {
        count(assignment);
        if (fill(assignment) >= 1) {
            borrowers.remove(assignment);
            throttle(assignment);
        } else if (borrows(assignment)) {
            borrowers.add(assignment);
        }
        if (!borrowers.isEmpty() && (records.exhausted() || bytes.exhausted())) {
            throttleFullBorrowers();
        }
    }

    private void throttleFullBorrowers() {
        for (Iterator<Assignment> all = borrowers.iterator(); all.hasNext(); ) {
            Assignment borrower = all.next();
            if (fill(borrower) >= 1) {
                all.remove();
                throttle(borrower);
            }
        }
    }

    private void throttle(Assignment assignment) {
        if (throttled.add(assignment)) {
            assignment.throttled(true);
            consumer.pause(List.of(assignment.topicPartition()));
        }
    }

    /** Called after records of {@code assignment} ended. */
    void ended(Assignment assignment) {
        count(assignment);
        if (throttled.contains(assignment)) {
            lighter.add(assignment);
        } else if (!borrows(assignment)) {
            borrowers.remove(assignment);
        }
    }

    /** Called once in a pass, after completions were applied: lets partitions go that have room again. */
    void completed() {
        if (throttled.isEmpty()) {
            return;
        }
        lookAtBorrowers();
        Set<Assignment> looks = new LinkedHashSet<>(lighter);
        throttled.stream().limit(LOOKS).forEach(looks::add);
        List<TopicPartition> free = new ArrayList<>();
        for (Assignment assignment : looks) {
            throttled.remove(assignment);
            count(assignment);
            if (fill(assignment) <= 0.5) {
                assignment.throttled(false);
                if (borrows(assignment)) {
                    borrowers.add(assignment);
                }
                free.add(assignment.topicPartition());
            } else {
                throttled.add(assignment); // as the last one
            }
        }
        lighter.clear();
        if (!free.isEmpty()) {
            consumer.resume(free);
        }
    }

    /** What their customers set aside has been given back, though nothing came or ended: those who are throttled may have it. */
    private void lookAtBorrowers() {
        for (Assignment assignment : borrowers.stream().limit(LOOKS).toList()) {
            borrowers.remove(assignment);
            count(assignment);
            if (borrows(assignment)) {
                borrowers.add(assignment); // as the last one
            }
        }
    }

    /** Forgets partitions that were taken away; the consumer has forgotten them too. */
    void forget(Collection<Assignment> gone) {
        for (Assignment assignment : gone) {
            throttled.remove(assignment);
            lighter.remove(assignment);
            borrowers.remove(assignment);
            count(assignment.usage(), 0, 0);
        }
    }

    boolean throttlesAny() {
        return !throttled.isEmpty();
    }

    /**
     * What waits for retries has a budget of its own, as large in bytes and bounded by the map in records: customers that fail
     * for ever don't use up the buffer of those who don't.
     */
    private void count(Assignment assignment) {
        long asideBytes = assignment.asideBytes();
        long waiting = Math.max(0, assignment.tracker().incomplete() - assignment.asideRecords());
        count(assignment.usage(), waiting, Math.max(assignment.bytes() - asideBytes, asideBytes));
    }

    private void count(Usage usage, long nowRecords, long nowBytes) {
        records.count(usage.records, nowRecords);
        bytes.count(usage.bytes, nowBytes);
        usage.records = nowRecords;
        usage.bytes = nowBytes;
    }

    private boolean borrows(Assignment assignment) {
        return records.lent(assignment.usage().records) || bytes.lent(assignment.usage().bytes);
    }

    /** The fullest of the budgets, as a share of what is allowed. */
    private double fill(Assignment assignment) {
        if (assignment.halted()) {
            return 1;
        }
        double counted = Math.max(records.fill(assignment.usage().records), bytes.fill(assignment.usage().bytes));
        return Math.max(counted, assignment.tracker().mapWeightBits() / (WINDOW_SHARE * window));
    }
}
