package dev.lanekeeper.lanes;

import dev.lanekeeper.testkit.model.Model;
import org.jspecify.annotations.Nullable;

/**
 * Closing lanes while two threads submit a task each for one key. What matters here is when the map says that it is
 * empty, so that an entry of the map and the map's count are two words; a lane is as simple as can be: the tasks in it
 * don't wait for each other, and it may be buried as soon as nobody has retained it.
 */
final class CloseModel implements Model {
    /** How it is found that no lane is left. */
    enum Variant {
        AS_BUILT,
        BY_COUNT_ALONE,
        LOOKED_AT_BY_CLOSE_ONLY,
        CLOSED_IS_READ_BEFORE_THE_LANE_IS_MAPPED
    }

    private static final int SUBMITTERS = 2;

    private static final int ENTRY = 0;
    private static final int COUNT = 1;
    private static final int REFS = 2;
    private static final int CLOSED = 3;
    private static final int DRAINED = 4;
    private static final int CLOSER = 5;
    private static final int ACCEPTED = 6;
    private static final int RAN = 7;
    private static final int FIRST_TASK = 8;

    // where the thread of a task is: it submits, and then stands for the executor
    private static final int READ_EARLY = 0;
    private static final int ENTER = 1;
    private static final int COUNT_UP = 2;
    private static final int READ_CLOSED = 3;
    private static final int RUN = 4;
    private static final int UNRETAIN = 5;
    private static final int COUNT_DOWN = 6;
    private static final int LOOK_AT_COUNT = 7;
    private static final int LOOK_AT_ENTRY = 8;
    private static final int GONE = 9;

    private final Variant variant;

    CloseModel(Variant variant) {
        this.variant = variant;
    }

    @Override
    public int threads() {
        return SUBMITTERS + 1;
    }

    @Override
    public int[] initial() {
        int[] words = new int[FIRST_TASK + SUBMITTERS];
        for (int i = 0; i < SUBMITTERS; i++) {
            words[FIRST_TASK + i] = readsEarly() ? READ_EARLY : ENTER;
        }
        return words;
    }

    private boolean readsEarly() {
        return variant == Variant.CLOSED_IS_READ_BEFORE_THE_LANE_IS_MAPPED;
    }

    @Override
    public @Nullable String step(int thread, int[] words) {
        return thread == SUBMITTERS ? closer(words) : task(words, FIRST_TASK + thread);
    }

    private @Nullable String closer(int[] words) {
        switch (words[CLOSER]) {
            case 0 -> {
                words[CLOSED] = 1;
                words[CLOSER] = LOOK_AT_COUNT;
                return "closes";
            }
            case LOOK_AT_COUNT, LOOK_AT_ENTRY -> {
                return look(words, CLOSER);
            }
            case GONE -> {
                if (words[DRAINED] == 0) {
                    return null;
                }
                words[CLOSER] = GONE + 1;
                return "returns from close";
            }
            default -> {
                return null;
            }
        }
    }

    /** Looks at the count, and then at the map itself, whether anything is left. */
    private String look(int[] words, int place) {
        boolean byCount = words[place] == LOOK_AT_COUNT;
        boolean empty = byCount ? words[COUNT] <= 0 : words[ENTRY] == 0;
        boolean enough = !byCount || variant == Variant.BY_COUNT_ALONE;
        words[place] = empty && !enough ? LOOK_AT_ENTRY : GONE;
        words[DRAINED] |= empty && enough ? 1 : 0;
        return (byCount ? "counts " + words[COUNT] : "looks for a lane") + (empty ? ", none" : "");
    }

    private @Nullable String task(int[] words, int place) {
        return switch (words[place]) {
            case READ_EARLY -> readClosed(words, place, ENTER);
            case ENTER -> enter(words, place);
            case COUNT_UP -> {
                words[COUNT]++;
                words[place] = readsEarly() ? RUN : READ_CLOSED;
                yield "counts its lane";
            }
            case READ_CLOSED -> readClosed(words, place, RUN);
            case RUN -> {
                words[RAN]++;
                words[place] = UNRETAIN;
                yield "runs";
            }
            case UNRETAIN -> unretain(words, place);
            case COUNT_DOWN -> {
                words[COUNT]--;
                boolean looks = words[CLOSED] == 1 && variant != Variant.LOOKED_AT_BY_CLOSE_ONLY;
                words[place] = looks ? LOOK_AT_COUNT : GONE;
                yield "counts its lane out";
            }
            case LOOK_AT_COUNT, LOOK_AT_ENTRY -> look(words, place);
            default -> null;
        };
    }

    private String enter(int[] words, int place) {
        boolean born = words[ENTRY] == 0;
        words[ENTRY] = 1;
        words[REFS]++;
        words[place] = born ? COUNT_UP : readsEarly() ? RUN : READ_CLOSED;
        return born ? "maps a lane" : "retains the lane";
    }

    private static String readClosed(int[] words, int place, int accepted) {
        boolean closed = words[CLOSED] == 1;
        words[ACCEPTED] += closed ? 0 : 1;
        words[place] = !closed ? accepted : accepted == RUN ? UNRETAIN : GONE;
        return closed ? "is refused" : "is accepted";
    }

    private static String unretain(int[] words, int place) {
        boolean last = --words[REFS] == 0;
        words[ENTRY] = last ? 0 : 1;
        words[place] = last ? COUNT_DOWN : GONE;
        return last ? "unmaps the lane" : "gives the lane back";
    }

    @Override
    public @Nullable String fault(int[] words) {
        boolean returned = words[CLOSER] == GONE + 1;
        return returned && words[RAN] < words[ACCEPTED] ? "close returned before a task had run" : null;
    }

    @Override
    public @Nullable String faultAtEnd(int[] words) {
        return words[CLOSER] == GONE + 1 ? null : "close waits for ever";
    }
}
