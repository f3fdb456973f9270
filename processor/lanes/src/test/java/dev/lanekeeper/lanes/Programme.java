package dev.lanekeeper.lanes;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/** What some threads ask of lanes, each its own list in its order; from chance, so that it can be had again from a seed. */
record Programme(int keys, List<List<Operation>> submitters) {
    /** What becomes of an operation does not depend on the schedule, except of a race. */
    enum Kind {
        RETURNS,
        THROWS,
        ENDS_LATER,
        FAILS_LATER,
        HOLD,
        BULK,
        BULK_HOLD,

        /** Cancelled while its submitter holds the lane, so before its turn for certain. */
        CANCELLED_IN_LINE,

        /** Cancelled as soon as it is submitted: it runs, or it is cancelled, or it is cancelled while it runs. */
        CANCELLED_IN_A_RACE
    }

    /**
     * One operation.
     *
     * @param id of its own in the programme; the ids of one submitter ascend
     * @param keys sorted; one but for bulks
     * @param pause whether the submitter waits for its end before the next, so that lanes come and go
     */
    record Operation(int id, Kind kind, List<Integer> keys, boolean pause) {
        int key() {
            return keys.get(0);
        }

        /** What must come of it, in words; of a race that was not cancelled, too. */
        String outcome() {
            return switch (kind) {
                case RETURNS, ENDS_LATER, BULK, CANCELLED_IN_A_RACE -> "gave " + id;
                case THROWS, FAILS_LATER -> "failed with planned " + id;
                case HOLD, BULK_HOLD -> "held";
                case CANCELLED_IN_LINE -> "cancelled";
            };
        }
    }

    static Programme random(RandomGenerator random, int submitters, int operationsOfEach, int keys) {
        Kind[] kinds = Kind.values();
        List<List<Operation>> all = new ArrayList<>();
        int id = 0;
        for (int submitter = 0; submitter < submitters; submitter++) {
            List<Operation> mine = new ArrayList<>();
            for (int i = 0; i < operationsOfEach; i++) {
                Kind kind = kinds[random.nextInt(kinds.length)];
                boolean several = kind == Kind.BULK || kind == Kind.BULK_HOLD;
                List<Integer> its = keys(random, several ? 1 + random.nextInt(3) : 1, keys);
                mine.add(new Operation(id++, kind, its, random.nextInt(8) == 0));
            }
            all.add(List.copyOf(mine));
        }
        return new Programme(keys, List.copyOf(all));
    }

    private static List<Integer> keys(RandomGenerator random, int count, int keys) {
        TreeSet<Integer> chosen = new TreeSet<>();
        for (int i = 0; i < count; i++) {
            chosen.add(random.nextInt(keys));
        }
        return List.copyOf(chosen);
    }

    int size() {
        return submitters.stream().mapToInt(List::size).sum();
    }

    List<Operation> operations() {
        return submitters.stream().flatMap(List::stream).toList();
    }
}
