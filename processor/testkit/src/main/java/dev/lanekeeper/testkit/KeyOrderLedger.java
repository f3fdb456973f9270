package dev.lanekeeper.testkit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * The promise of order, as an object: a test tells it what was sent and what handlers do, and asks in the end whether
 * the promise was kept. Thread-safe.
 *
 * <ul>
 *   <li>No overlap: of one key, one message is handled at a time, whoever handles it.
 *   <li>Order within a life: whoever handles a key takes its messages in ascending order of their positions.
 *   <li>Order of effects: over all lives, messages of a key end for the first time in ascending order.
 *   <li>No loss: every position sent has ended. No duplicate: only once, unless {@link #allowRedelivery} was called.
 * </ul>
 *
 * <p>A life is one incarnation of a handler: an instance between start and stop, and again from one assignment of a
 * partition to the next, because a new assignment may begin with messages of the one before. Call {@link #started} as
 * the first and {@link #ended} as the last thing a handler does: then what overlaps here did overlap. What this does
 * not show: an overlap shorter than the calls themselves, and anything about keys among each other.
 *
 * @param <K> the key, with {@code equals} and {@code hashCode}
 */
public final class KeyOrderLedger<K> {
    private static final int SHOWN = 20;

    /** What can go wrong. */
    public enum Kind {
        /** Two messages of a key were handled at once. */
        OVERLAP,
        /** A life took a message after a later one of the same key. */
        START_ORDER,
        /** A message had its first effect after a later one of the same key. */
        EFFECT_ORDER,
        /** A message ended twice. */
        DUPLICATE,
        /** A message that was sent never ended. */
        LOST,
        /** A message ended that was never sent. */
        UNKNOWN,
        /** A message ended that had not been started by that life. */
        NOT_STARTED
    }

    /**
     * One breach of the promise.
     *
     * @param kind what went wrong
     * @param key the key, as text
     * @param position the message at fault
     * @param story who did what
     */
    public record Violation(Kind kind, String key, long position, String story) {
        @Override
        public String toString() {
            return kind + " key " + key + ": " + story;
        }
    }

    private final Map<K, KeyLine> lines = new ConcurrentHashMap<>();
    private final LongAdder comparisons = new LongAdder();
    private final LongAdder redelivered = new LongAdder();
    private final AtomicInteger inProgress = new AtomicInteger();
    private final AtomicInteger peakInProgress = new AtomicInteger();
    private volatile boolean redeliveryAllowed;

    /**
     * Says that a message was sent.
     *
     * @throws IllegalArgumentException if {@code position} is not above the key's last one: what order means is decided
     *     here
     */
    public void sent(K key, long position) {
        line(key).sent(position);
    }

    /** Says that {@code by} begins to handle a message. */
    public void started(K key, long position, String by) {
        peakInProgress.accumulateAndGet(inProgress.incrementAndGet(), Math::max);
        comparisons.add(line(key).started(position, by));
    }

    /** Says that {@code by} is done with a message, for good: handled, or set aside. */
    public void ended(K key, long position, String by) {
        KeyLine.End end = line(key).ended(position, by, redeliveryAllowed);
        inProgress.addAndGet(-end.runsOver());
        comparisons.add(end.comparisons());
        redelivered.add(end.redelivered());
    }

    /** Says that an attempt of {@code by} is over without effect; the same message is to be taken again. */
    public void failed(K key, long position, String by) {
        inProgress.addAndGet(-line(key).failed(position, by));
    }

    /** Says that {@code by} is no more: what it had begun will not end, and another may take it. */
    public void lifeEnded(String by) {
        lines.values().forEach(line -> inProgress.addAndGet(-line.lifeEnded(by)));
    }

    /** Permits messages to end again from now on, as they may after a crash or a rebalance; all else still holds. */
    public void allowRedelivery() {
        redeliveryAllowed = true;
    }

    private KeyLine line(K key) {
        return lines.computeIfAbsent(key, name -> new KeyLine(String.valueOf(name)));
    }

    /** How many pairs of messages were compared for order; 0 means that nothing was proved. */
    public long comparisons() {
        return comparisons.sum();
    }

    /** How many messages ended again where that was allowed. */
    public long redelivered() {
        return redelivered.sum();
    }

    /** The most messages, of whatever keys, that were ever being handled at once: 1 means nothing ran in parallel. */
    public int peakInProgress() {
        return peakInProgress.get();
    }

    /** Whether all that was sent has ended; to wait for before {@link #assertClean}. */
    public boolean isComplete() {
        return lines.values().stream().allMatch(KeyLine::isComplete);
    }

    /** All breaches so far; what has not ended yet counts as lost. */
    public List<Violation> violations() {
        List<Violation> found = new ArrayList<>();
        lines.values().forEach(line -> line.addViolations(found));
        found.sort(Comparator.comparing(Violation::kind)
                .thenComparing(Violation::key)
                .thenComparingLong(Violation::position));
        return found;
    }

    /**
     * Demands that the promise was kept, and that there was something to keep.
     *
     * @throws AssertionError with the breaches, or if no two messages of one key could be compared
     */
    public void assertClean() {
        List<Violation> found = violations();
        if (!found.isEmpty()) {
            throw new AssertionError(report(found));
        }
        if (comparisons() == 0 || lines.values().stream().noneMatch(KeyLine::knowsWhatWasSent)) {
            throw new AssertionError("the ledger proves nothing: " + this
                    + "; it needs to be told what was sent, and at least two messages of one key");
        }
    }

    private String report(List<Violation> found) {
        StringBuilder text = new StringBuilder("the order of keys was broken ")
                .append(found.size())
                .append(" times; ")
                .append(this);
        found.stream().limit(SHOWN).forEach(violation -> text.append("\n  ").append(violation));
        if (found.size() > SHOWN) {
            text.append("\n  and ").append(found.size() - SHOWN).append(" more");
        }
        return text.toString();
    }

    @Override
    public String toString() {
        return lines.size() + " keys, " + comparisons() + " comparisons, " + redelivered() + " redelivered, at most "
                + peakInProgress() + " at once";
    }
}
