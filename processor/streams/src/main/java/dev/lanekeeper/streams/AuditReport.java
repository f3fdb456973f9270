package dev.lanekeeper.streams;

import dev.lanekeeper.streams.Finding.Kind;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What an audit found. Immutable.
 *
 * @param sent records sent
 * @param done first outcomes of a record that say done
 * @param failed first outcomes that say failed
 * @param skipped first outcomes that say skipped
 * @param elsewhere outcomes for records of other topics, such as bulk commands: checked for order and overlap, not for loss
 * @param customers different customers
 * @param comparisons how often two things that must agree were held against each other
 * @param redelivered repeated outcomes by another instance or epoch: at-least-once at work, no violation
 * @param counts violations by kind, each kind present
 * @param findings the first of them
 */
public record AuditReport(
        long sent,
        long done,
        long failed,
        long skipped,
        long elsewhere,
        long customers,
        long comparisons,
        long redelivered,
        Map<Kind, Long> counts,
        List<Finding> findings) {

    /** Copies the collections; a kind that is absent counts as 0. */
    public AuditReport {
        EnumMap<Kind, Long> all = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            all.put(kind, counts.getOrDefault(kind, 0L));
        }
        counts = Collections.unmodifiableMap(all);
        findings = List.copyOf(findings);
    }

    /** How many violations there are of {@code kind}. */
    public long count(Kind kind) {
        return counts.getOrDefault(kind, 0L);
    }

    /** How many violations there are in all. */
    public long violations() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Whether something was compared and nothing was wrong: an audit that saw nothing proves nothing. */
    public boolean clean() {
        return violations() == 0 && comparisons > 0;
    }
}
