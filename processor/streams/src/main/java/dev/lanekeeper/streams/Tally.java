package dev.lanekeeper.streams;

import dev.lanekeeper.streams.Finding.Kind;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The counts of one task, or the sum of several. Not thread-safe: confined to the task, or guarded by {@link Ledger}. */
final class Tally {
    /** What is counted beside the violations. */
    enum Item {
        SENT,
        DONE,
        FAILED,
        SKIPPED,
        ELSEWHERE,
        CUSTOMERS,
        COMPARISONS,
        REDELIVERED
    }

    private final Map<Item, Long> items = new EnumMap<>(Item.class);
    private final Map<Kind, Long> violations = new EnumMap<>(Kind.class);

    void count(Item item) {
        items.merge(item, 1L, Long::sum);
    }

    void count(Kind kind) {
        violations.merge(kind, 1L, Long::sum);
    }

    /** For the kinds that are decided by looking through what is unmatched, and decided anew each time. */
    void set(Kind kind, long count) {
        violations.put(kind, count);
    }

    void add(Tally other) {
        other.items.forEach((item, count) -> items.merge(item, count, Long::sum));
        other.violations.forEach((kind, count) -> violations.merge(kind, count, Long::sum));
    }

    Tally copy() {
        Tally copy = new Tally();
        copy.add(this);
        return copy;
    }

    AuditReport report(List<Finding> findings) {
        return new AuditReport(
                of(Item.SENT),
                of(Item.DONE),
                of(Item.FAILED),
                of(Item.SKIPPED),
                of(Item.ELSEWHERE),
                of(Item.CUSTOMERS),
                of(Item.COMPARISONS),
                of(Item.REDELIVERED),
                violations,
                findings);
    }

    /** By name, so that a count added later does not shift the others. */
    byte[] bytes() {
        StateWriter writer = new StateWriter().put(items.size());
        items.forEach((item, count) -> writer.put(item.name()).put(count));
        violations.forEach((kind, count) -> writer.put(kind.name()).put(count));
        return writer.bytes();
    }

    static Tally of(byte[] bytes) {
        StateReader reader = new StateReader(bytes);
        Tally tally = new Tally();
        for (int left = reader.number(); left > 0; left--) {
            tally.items.put(Item.valueOf(reader.text()), reader.longNumber());
        }
        while (reader.hasMore()) {
            tally.violations.put(Kind.valueOf(reader.text()), reader.longNumber());
        }
        return tally;
    }

    private long of(Item item) {
        return items.getOrDefault(item, 0L);
    }
}
