package dev.lanekeeper.engine.intake;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Holds back partitions whose records are not done fast enough, while the consumer polls on. Confined to the poll thread.
 *
 * <p>Buffers are shared as {@link Budget} says: a hot partition uses what the others don't, and never what is kept for them.
 * It is held when it is full and let go when it is half full; what one poll brings beyond that is admitted. As soon as
 * nothing is left to borrow, whoever has borrowed is held, so that only partitions below their floor still fetch.
 *
 * <p>The third budget is that of the map in the commits, which has a largest size: records that are not done may lie so
 * far apart, and in such numbers, that it fits whatever ends first. Done ones between them count for next to nothing, so
 * one record that never ends does not stop its partition.
 *
 * <p>A pass looks at partitions that got records, at held ones of which records ended, and, while there are held ones, at a
 * few others of those and of those that have borrowed, in turn: for what their customers set aside meanwhile, and for
 * what others have given back. However many partitions there are, it costs no more.
 */
final class Throttle {
    /** So much of the window is filled; the rest is for what one more poll brings. */
    private static final double WINDOW_SHARE = 0.75;

    /** So many held partitions, and borrowers, are looked at in a pass though nothing of theirs has ended. */
    private static final int LOOKS = 16;

    private final Consumer<byte[], byte[]> consumer;
    private final int window;
    private final Budget records;
    private final Budget bytes;

    /** Those looked at longest ago come first. */
    private final Set<Assignment> held = new LinkedHashSet<>();

    /** Held ones of which records ended since they were looked at. */
    private final Set<Assignment> drained = new LinkedHashSet<>();

    /** Those that may have borrowed and are not held; those looked at longest ago come first. */
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
            hold(assignment);
        } else if (borrows(assignment)) {
            borrowers.add(assignment);
        }
        if (!borrowers.isEmpty() && (records.exhausted() || bytes.exhausted())) {
            borrowers.removeIf(each -> fill(each) >= 1 && hold(each));
        }
    }

    /** It is held from now on: true. */
    private boolean hold(Assignment assignment) {
        if (held.add(assignment)) {
            assignment.throttled(true);
            consumer.pause(List.of(assignment.topicPartition()));
        }
        return true;
    }

    /** Called after records of {@code assignment} ended. */
    void ended(Assignment assignment) {
        count(assignment);
        if (held.contains(assignment)) {
            drained.add(assignment);
        } else if (!borrows(assignment)) {
            borrowers.remove(assignment);
        }
    }

    /** Called once in a pass, after completions were applied: lets partitions go that have room again. */
    void completed() {
        if (held.isEmpty()) {
            return;
        }
        lookAtBorrowers();
        held.stream().limit(LOOKS).forEach(drained::add);
        List<TopicPartition> free = new ArrayList<>();
        for (Assignment assignment : drained) {
            held.remove(assignment);
            count(assignment);
            if (fill(assignment) <= 0.5) {
                assignment.throttled(false);
                if (borrows(assignment)) {
                    borrowers.add(assignment);
                }
                free.add(assignment.topicPartition());
            } else {
                held.add(assignment); // as the last one
            }
        }
        drained.clear();
        if (!free.isEmpty()) {
            consumer.resume(free);
        }
    }

    /** What their customers set aside has been given back, though nothing came or ended: those who are held may have it. */
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
            held.remove(assignment);
            drained.remove(assignment);
            borrowers.remove(assignment);
            count(assignment.usage(), 0, 0);
        }
    }

    boolean holdsAny() {
        return !held.isEmpty();
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
