package dev.lanekeeper.demo;

import dev.lanekeeper.message.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What must hold of outcomes after a crash, checked without the audit. Each returns what is wrong, in words. */
final class CrashChecks {
    private CrashChecks() {}

    private static String place(Outcome outcome) {
        return outcome.partition() + ":" + outcome.offset();
    }

    private static String described(Outcome outcome) {
        return place(outcome) + " of " + outcome.instance() + " in epoch " + outcome.epoch() + " from "
                + outcome.startedAt() + " to " + outcome.endedAt();
    }

    static long jobsWithOutcome(List<Outcome> outcomes) {
        return outcomes.stream().map(CrashChecks::place).distinct().count();
    }

    /** Customers whose jobs were first finished in another order than that of their offsets. */
    static List<String> outOfOrder(List<Outcome> outcomes) {
        List<String> wrong = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        Map<String, Outcome> last = new HashMap<>();
        for (Outcome outcome : outcomes) {
            if (seen.add(place(outcome))) {
                Outcome before = last.put(String.valueOf(outcome.customerId()), outcome);
                if (before != null && before.offset() > outcome.offset()) {
                    wrong.add(outcome.customerId() + ": " + described(outcome) + " after " + described(before));
                }
            }
        }
        return wrong;
    }

    /** Runs of one customer that began before an earlier one had ended, whoever ran them. */
    static List<String> overlaps(List<Outcome> outcomes) {
        List<Outcome> byStart = new ArrayList<>(outcomes);
        byStart.sort(Comparator.comparing(Outcome::startedAt));
        List<String> wrong = new ArrayList<>();
        Map<String, Instant> busyUntil = new HashMap<>();
        for (Outcome outcome : byStart) {
            Instant before = busyUntil.get(String.valueOf(outcome.customerId()));
            if (before != null && outcome.startedAt().isBefore(before)) {
                wrong.add(outcome.customerId() + ": " + described(outcome));
            }
            busyUntil.merge(
                    String.valueOf(outcome.customerId()),
                    outcome.endedAt(),
                    (one, other) -> one.isAfter(other) ? one : other);
        }
        return wrong;
    }

    /** Jobs that were done again for no reason. There is one: the partition's owner before was killed and could not commit. */
    static List<String> repeatedNeedlessly(List<Outcome> outcomes, String victim) {
        Map<String, Outcome> firsts = new HashMap<>();
        outcomes.forEach(outcome -> firsts.putIfAbsent(place(outcome), outcome));
        List<String> wrong = new ArrayList<>();
        for (Outcome outcome : outcomes) {
            Outcome first = firsts.getOrDefault(place(outcome), outcome);
            if (!first.equals(outcome) && !ownerBefore(outcome, outcomes).equals(victim)) {
                wrong.add(described(outcome) + ", before " + described(first));
            }
        }
        return wrong;
    }

    /** Who had the partition last, of those that left an outcome in it. */
    private static String ownerBefore(Outcome repeated, List<Outcome> outcomes) {
        return outcomes.stream()
                .filter(other -> other.partition() == repeated.partition() && other.epoch() < repeated.epoch())
                .max(Comparator.comparing(Outcome::epoch))
                .map(Outcome::instance)
                .orElse("");
    }
}
