package dev.lanekeeper.lanes;

import dev.lanekeeper.testkit.model.Model;
import org.jspecify.annotations.Nullable;

/**
 * The word that decides how a {@link Ticket} ends: the executor's threads start the ticket each time it is ready, and
 * each start has one thread that settles and one that re-arms, at any time after the start has begun. The last start has
 * only settlers, so that there is an end.
 */
final class TicketModel implements Model {
    /** The algorithm, or what might be taken for it. */
    enum Variant {
        AS_BUILT,
        SETTLED_BY_READ_THEN_WRITE,
        RETURNED_BY_WRITE,
        SETTLE_IGNORES_A_RETURNED_START,
        RELEASED_BY_SETTLE_WHILE_RUNNING
    }

    private static final int STARTS = 2;

    // the word itself
    private static final int STATE = 0;
    private static final int QUEUED = 0;
    private static final int RUNNING = 1;
    private static final int RETURNED = 2;
    private static final int SETTLED = 3;
    private static final int REARMED = 4;
    private static final int DONE = 5;

    // what to judge it by
    private static final int INSIDE = 1;
    private static final int RELEASES = 2;
    private static final int READY = 3;
    private static final int BEGUN = 4;
    private static final int ACCEPTED = 5;

    // where each thread is
    private static final int RUNNER = 6;
    private static final int FIRST_ENDER = RUNNER + 1;
    private static final int ENDERS = 2 * STARTS;

    private final Variant variant;

    TicketModel(Variant variant) {
        this.variant = variant;
    }

    @Override
    public int threads() {
        return 1 + ENDERS;
    }

    @Override
    public int[] initial() {
        int[] words = new int[FIRST_ENDER + ENDERS];
        words[READY] = 1;
        return words;
    }

    @Override
    public @Nullable String step(int thread, int[] words) {
        if (thread == 0) {
            return runner(words);
        }
        int ender = thread - 1;
        boolean lastStart = ender / 2 == STARTS - 1;
        return words[BEGUN] <= ender / 2 ? null : ender(words, FIRST_ENDER + ender, lastStart || ender % 2 == 0);
    }

    /** {@link Ticket#turn}, again each time that the ticket is ready. */
    private @Nullable String runner(int[] words) {
        return switch (words[RUNNER]) {
            case 0 -> words[READY] == 0 ? null : begin(words);
            case 1 -> leave(words);
            case 2 -> tryReturn(words, RUNNING, RETURNED, 3);
            case 3 -> tryReturn(words, REARMED, QUEUED, 4);
            default -> {
                words[STATE] = DONE;
                words[RUNNER] = 0;
                words[RELEASES]++;
                yield "releases after its return";
            }
        };
    }

    private String begin(int[] words) {
        words[READY]--;
        if (words[STATE] != QUEUED) {
            return "is not queued";
        }
        words[STATE] = RUNNING;
        words[INSIDE]++;
        words[BEGUN]++;
        words[RUNNER] = 1;
        return "starts";
    }

    private String leave(int[] words) {
        words[INSIDE]--;
        words[RUNNER] = 2;
        return "leaves start()";
    }

    private String tryReturn(int[] words, int from, int to, int otherwise) {
        if (words[STATE] != from && variant != Variant.RETURNED_BY_WRITE) {
            words[RUNNER] = otherwise;
            return "does not see " + from;
        }
        words[STATE] = to;
        words[RUNNER] = 0;
        words[READY] += to == QUEUED ? 1 : 0;
        return "goes from " + from + " to " + to;
    }

    /** {@link Ticket#settle} or {@link Ticket#rearm}: first for a start that runs, then for one that has returned. */
    private @Nullable String ender(int[] words, int place, boolean settles) {
        String name = settles ? "settle" : "rearm";
        return switch (words[place]) {
            case 0 -> {
                boolean running = words[STATE] == RUNNING;
                if (running && settles && variant == Variant.SETTLED_BY_READ_THEN_WRITE) {
                    words[place] = 2;
                    yield name + " sees a start that runs";
                }
                words[place] = running ? 3 : 1;
                yield running ? ended(words, settles, true, name) : name + " sees no start that runs";
            }
            case 1 -> {
                words[place] = 3;
                boolean ignores = settles && variant == Variant.SETTLE_IGNORES_A_RETURNED_START;
                yield words[STATE] == RETURNED && !ignores ? ended(words, settles, false, name) : name + " is refused";
            }
            case 2 -> {
                words[place] = 3;
                yield ended(words, true, true, name);
            }
            default -> null;
        };
    }

    private String ended(int[] words, boolean settles, boolean running, String name) {
        boolean release = settles && (!running || variant == Variant.RELEASED_BY_SETTLE_WHILE_RUNNING);
        words[STATE] = release ? DONE : settles ? SETTLED : running ? REARMED : QUEUED;
        words[RELEASES] += release ? 1 : 0;
        words[ACCEPTED] += settles ? 1 : 0;
        words[READY] += settles || running ? 0 : 1;
        return name + (running ? " ends a start that runs" : " ends a start that has returned");
    }

    @Override
    public @Nullable String fault(int[] words) {
        if (words[RELEASES] > 1) {
            return "the lane was released twice";
        }
        if (words[INSIDE] > 0 && words[RELEASES] > 0) {
            return "the lane was released while start() was running";
        }
        if (words[ACCEPTED] > 1) {
            return "two calls of settle() were told that they had settled the ticket";
        }
        return null;
    }

    @Override
    public @Nullable String faultAtEnd(int[] words) {
        if (words[RELEASES] != words[ACCEPTED]) {
            return words[ACCEPTED] + " calls of settle() were accepted, the lane was released " + words[RELEASES];
        }
        return words[RELEASES] == 1 ? null : "the ticket stays in state " + words[STATE] + " for ever";
    }
}
