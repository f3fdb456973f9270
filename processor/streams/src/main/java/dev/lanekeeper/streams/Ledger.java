package dev.lanekeeper.streams;

import dev.lanekeeper.streams.Finding.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Where the tasks of one audit hand in what they counted, and hear that the end has come. Thread-safe. */
final class Ledger {
    private final int findingsKept;
    private final boolean survivesMoves;
    private final Map<Integer, Tally> tallies = new HashMap<>();
    private final Map<TopicPartition, Long> positions = new HashMap<>();
    private final List<Finding> findings = new ArrayList<>();
    private final Set<Integer> settled = new HashSet<>();
    private boolean settling;
    private @Nullable Integer moved;

    Ledger(AuditSettings settings) {
        findingsKept = settings.findingsKept();
        survivesMoves = settings.stores() == AuditSettings.Stores.PERSISTENT;
    }

    /** A task begins. One that begins twice has lost what it kept in memory, and its counts mean nothing. */
    synchronized void opened(int task) {
        if (tallies.put(task, new Tally()) != null && !survivesMoves) {
            moved = task;
        }
        settled.remove(task);
    }

    /** The task that lost its memory; {@code null} if none has. */
    synchronized @Nullable Integer moved() {
        return moved;
    }

    synchronized void publish(int task, Tally tally, Map<TopicPartition, Long> nextOffsets) {
        tallies.put(task, tally.copy());
        positions.putAll(nextOffsets);
    }

    synchronized void add(Finding finding) {
        if (findings.size() < findingsKept) {
            findings.add(finding);
        }
    }

    /** The other half came after all. */
    synchronized void withdraw(Kind kind, Origin origin) {
        findings.removeIf(finding -> finding.kind() == kind
                && finding.topic().equals(origin.topic())
                && finding.partition() == origin.partition()
                && finding.offset() == origin.offset());
    }

    synchronized void settle() {
        settling = true;
        settled.clear();
    }

    synchronized boolean mustSettle(int task) {
        return settling && !settled.contains(task);
    }

    synchronized void settled(int task) {
        settled.add(task);
    }

    synchronized int settledTasks() {
        return settled.size();
    }

    /** Of each partition that has been read, the next offset to read. */
    synchronized Map<TopicPartition, Long> positions() {
        return Map.copyOf(positions);
    }

    synchronized AuditReport report() {
        Tally sum = new Tally();
        tallies.values().forEach(sum::add);
        return sum.report(findings);
    }
}
