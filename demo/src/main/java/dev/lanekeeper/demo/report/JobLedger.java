package dev.lanekeeper.demo.report;

import dev.lanekeeper.message.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What the topics say became of every job. Filled by one thread, in whatever order the topics are read; read by others
 * only when that thread is done.
 */
public final class JobLedger {
    /** A job is known by its place in the topic it was sent to. */
    private record Place(int partition, long offset) {}

    private static final class Entry {
        private long sentMillis = -1;
        private long outcomeMillis = -1;
        private Outcome.@Nullable Status status;
    }

    private final Map<Place, Entry> entries = new HashMap<>();
    private final Map<Place, String> deadLetters = new HashMap<>();
    private final List<Run> runs = new ArrayList<>();
    private long sent;
    private long withOutcome;
    private long redelivered;

    /** A job as it lies in the topic, with the record's timestamp. */
    public void sent(int partition, long offset, long timestampMillis) {
        sent++;
        entry(partition, offset).sentMillis = timestampMillis;
    }

    /** An outcome, with the timestamp of its record. */
    public void outcome(Outcome outcome, long timestampMillis) {
        Entry entry = entry(outcome.partition(), outcome.offset());
        if (entry.status == null) {
            entry.status = outcome.status();
            entry.outcomeMillis = timestampMillis;
            withOutcome++;
        } else {
            redelivered++;
        }
        String customerId = outcome.customerId();
        if (customerId != null && outcome.attempt() > 0) {
            runs.add(Run.of(customerId, outcome));
        }
    }

    /** A dead letter, by the place of the job it was, and the stage at which that failed. */
    public void deadLetter(int partition, long offset, String stage) {
        deadLetters.putIfAbsent(new Place(partition, offset), stage);
    }

    private Entry entry(int partition, long offset) {
        return entries.computeIfAbsent(new Place(partition, offset), place -> new Entry());
    }

    /** How many jobs have an outcome. */
    public long withOutcome() {
        return withOutcome;
    }

    /** How many different jobs have a dead letter. */
    public long deadLetters() {
        return deadLetters.size();
    }

    /** How many jobs failed for good, by their outcomes. */
    public long failed() {
        return count(Outcome.Status.FAILED);
    }

    /** The books, closed. */
    Accounts accounts() {
        Set<Place> failed = new HashSet<>();
        long unanswered = 0;
        long unsent = 0;
        for (Map.Entry<Place, Entry> each : entries.entrySet()) {
            Entry entry = each.getValue();
            unsent += entry.sentMillis < 0 ? 1 : 0;
            unanswered += entry.status == null ? 1 : 0;
            if (entry.status == Outcome.Status.FAILED) {
                failed.add(each.getKey());
            }
        }
        long missingLetters =
                failed.stream().filter(place -> !deadLetters.containsKey(place)).count();
        long strayLetters = deadLetters.keySet().stream()
                .filter(place -> !failed.contains(place))
                .count();
        Map<String, Long> stages = new TreeMap<>();
        deadLetters.values().forEach(stage -> stages.merge(stage, 1L, Long::sum));
        return new Accounts(
                sent,
                count(Outcome.Status.DONE),
                failed.size(),
                deadLetters.size(),
                stages,
                unanswered,
                unsent,
                missingLetters,
                strayLetters,
                redelivered);
    }

    private long count(Outcome.Status status) {
        return entries.values().stream().filter(entry -> entry.status == status).count();
    }

    /** Milliseconds from a job's append to its first outcome's, of every job that has both. */
    Histogram latencyMillis() {
        Histogram histogram = new Histogram(3);
        for (Entry entry : entries.values()) {
            if (entry.sentMillis >= 0 && entry.outcomeMillis >= 0) {
                histogram.recordValue(Math.max(0, entry.outcomeMillis - entry.sentMillis));
            }
        }
        return histogram;
    }

    /** Milliseconds from the first job's append to the last first outcome's. */
    long spanMillis() {
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (Entry entry : entries.values()) {
            if (entry.sentMillis >= 0) {
                first = Math.min(first, entry.sentMillis);
            }
            last = Math.max(last, entry.outcomeMillis);
        }
        return Math.max(0, last - first);
    }

    /** Every run of a handler, redelivered ones too. */
    List<Run> runs() {
        return runs;
    }
}
