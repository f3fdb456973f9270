package dev.lanekeeper.lanes;

import dev.lanekeeper.lanes.Programme.Kind;
import dev.lanekeeper.lanes.Programme.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What came of a {@link Programme}: who began when on which key, who met whom, and what the futures said. Thread-safe, and
 * without a lock over several keys, which would keep apart those who should be kept apart by what is tested.
 */
final class ProgrammeHistory {
    private final Programme programme;
    private final AtomicIntegerArray inside;
    private final AtomicInteger met = new AtomicInteger();
    private final List<List<Operation>> begun = new ArrayList<>();
    private final AtomicIntegerArray runs;
    private final AtomicReferenceArray<@Nullable String> outcomes;
    private final AtomicReferenceArray<@Nullable Boolean> cancelled;
    private volatile int left;

    ProgrammeHistory(Programme programme) {
        this.programme = programme;
        inside = new AtomicIntegerArray(programme.keys());
        runs = new AtomicIntegerArray(programme.size());
        outcomes = new AtomicReferenceArray<>(programme.size());
        cancelled = new AtomicReferenceArray<>(programme.size());
        for (int key = 0; key < programme.keys(); key++) {
            begun.add(new ArrayList<>());
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // a yield gives faults room
    void begun(Operation operation) {
        runs.incrementAndGet(operation.id());
        for (int key : operation.keys()) {
            met.addAndGet(inside.getAndIncrement(key) == 0 ? 0 : 1);
            List<Operation> ofKey = begun.get(key);
            synchronized (ofKey) {
                ofKey.add(operation);
            }
        }
        Thread.yield();
    }

    void ended(Operation operation) {
        for (int key : operation.keys()) {
            inside.decrementAndGet(key);
        }
    }

    void outcome(Operation operation, String inWords) {
        outcomes.set(operation.id(), inWords);
    }

    void cancelled(Operation operation, boolean accepted) {
        cancelled.set(operation.id(), accepted);
    }

    void left(int lanes) {
        left = lanes;
    }

    /** How many operations were held against another of their key; 0 means that nothing was checked. */
    int comparisons() {
        return begun.stream().mapToInt(ofKey -> Math.max(0, ofKey.size() - 1)).sum();
    }

    /** What no schedule may bring about. */
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        if (met.get() > 0) {
            faults.add("overlap: " + met);
        }
        if (left > 0) {
            faults.add("left: " + left + " lanes");
        }
        for (int key = 0; key < programme.keys(); key++) {
            for (List<Operation> ofOne : bySubmitter(key)) {
                for (int i = 1; i < ofOne.size(); i++) {
                    if (ofOne.get(i - 1).id() >= ofOne.get(i).id()) {
                        faults.add("order: key " + key + ", " + ofOne.get(i) + " after " + ofOne.get(i - 1));
                    }
                }
            }
        }
        for (Operation operation : programme.operations()) {
            judge(operation, faults);
        }
        return faults;
    }

    private void judge(Operation operation, List<String> faults) {
        int ran = runs.get(operation.id());
        String outcome = outcomes.get(operation.id());
        boolean refused = Boolean.FALSE.equals(cancelled.get(operation.id()));
        switch (operation.kind()) {
            case CANCELLED_IN_LINE -> {
                if (ran > 0 || refused) {
                    faults.add("cancelled in line but ran: " + operation);
                }
            }
            case CANCELLED_IN_A_RACE -> {
                if (ran > 1 || (refused && ran == 0)) {
                    faults.add("runs: " + ran + " of " + operation);
                }
            }
            default -> {
                if (ran != 1) {
                    faults.add("runs: " + ran + " of " + operation);
                }
            }
        }
        boolean won = operation.kind() == Kind.CANCELLED_IN_A_RACE && !refused;
        String expected = won ? "cancelled" : operation.outcome();
        if (!expected.equals(outcome)) {
            faults.add("outcome: " + outcome + " of " + operation);
        }
    }

    /** Where this history and that of the oracle differ although no schedule can explain it. */
    List<String> differences(ProgrammeHistory oracle) {
        List<String> differences = new ArrayList<>();
        for (int key = 0; key < programme.keys(); key++) {
            List<List<Operation>> mine = withoutRaces(bySubmitter(key));
            List<List<Operation>> its = withoutRaces(oracle.bySubmitter(key));
            if (!mine.equals(its)) {
                differences.add("order on key " + key + ": " + mine + " where the oracle has " + its);
            }
        }
        for (Operation operation : programme.operations()) {
            String mine = runs.get(operation.id()) + " runs, " + outcomes.get(operation.id());
            String its = oracle.runs.get(operation.id()) + " runs, " + oracle.outcomes.get(operation.id());
            if (operation.kind() != Kind.CANCELLED_IN_A_RACE && !mine.equals(its)) {
                differences.add(operation + ": " + mine + " where the oracle has " + its);
            }
        }
        if (left != oracle.left) {
            differences.add(left + " lanes left where the oracle has " + oracle.left);
        }
        return differences;
    }

    private List<List<Operation>> bySubmitter(int key) {
        Map<Integer, List<Operation>> bySubmitter = new HashMap<>();
        int ofEach = programme.submitters().get(0).size();
        for (Operation operation : begun.get(key)) {
            bySubmitter
                    .computeIfAbsent(operation.id() / ofEach, submitter -> new ArrayList<>())
                    .add(operation);
        }
        List<List<Operation>> all = new ArrayList<>();
        for (int submitter = 0; submitter < programme.submitters().size(); submitter++) {
            all.add(bySubmitter.getOrDefault(submitter, List.of()));
        }
        return all;
    }

    private static List<List<Operation>> withoutRaces(List<List<Operation>> all) {
        return all.stream()
                .map(ofOne -> ofOne.stream()
                        .filter(each -> each.kind() != Kind.CANCELLED_IN_A_RACE)
                        .toList())
                .toList();
    }
}
