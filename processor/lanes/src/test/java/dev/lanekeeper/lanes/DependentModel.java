package dev.lanekeeper.lanes;

import dev.lanekeeper.testkit.model.Model;
import org.jspecify.annotations.Nullable;

/**
 * The end of a task, on the thread that releases its lane, while another thread attaches a dependent to its future. The
 * dependent waits for the successor of the task. So whoever runs the dependent is stuck if nobody but itself would have
 * the successor started.
 */
final class DependentModel implements Model {
    /** How {@link TaskTicket} goes about it, or might. */
    enum Variant {
        AS_BUILT,
        LOOKED_ONCE,
        NOT_PARKED_IF_ATTACHED_MEANWHILE,
        LOOKED_BEFORE_PARKED,
        PARKED_BUT_NOT_TAKEN_BY_WHO_ATTACHES
    }

    private static final int WATCHED = 0;
    private static final int PARKED = 1;
    private static final int COMPLETED = 2;
    private static final int STARTED = 3;
    private static final int DEPENDENT = 4; // 0 not attached, 1 attached, 2 taken to be run
    private static final int RELEASER = 5;
    private static final int ATTACHER = 6;

    private static final int FIRST_LOOK = 0;
    private static final int PARK = 1;
    private static final int LOOK_AGAIN = 2;
    private static final int TAKE_FOR_DEPENDENT = 3;
    private static final int COMPLETE = 4;
    private static final int FIND_DEPENDENT = 5;
    private static final int IN_DEPENDENT = 6;
    private static final int GO_ON = 7;
    private static final int DONE = 8;

    private static final int SAY_SO = 0;
    private static final int TAKE = 1;
    private static final int ATTACH = 2;

    private final Variant variant;

    DependentModel(Variant variant) {
        this.variant = variant;
    }

    @Override
    public int threads() {
        return 2;
    }

    @Override
    public int[] initial() {
        int[] words = new int[ATTACHER + 1];
        if (variant == Variant.LOOKED_ONCE) {
            words[PARKED] = 1; // the thread has it to itself, nobody takes it
        }
        return words;
    }

    @Override
    public @Nullable String step(int thread, int[] words) {
        return thread == 0 ? release(words) : attach(words);
    }

    private @Nullable String release(int[] words) {
        switch (words[RELEASER]) {
            case FIRST_LOOK -> {
                boolean watched = words[WATCHED] == 1;
                words[STARTED] += watched ? 1 : 0;
                words[PARKED] = watched ? 0 : words[PARKED];
                words[RELEASER] = watched || variant == Variant.LOOKED_ONCE ? COMPLETE : PARK;
                return watched ? "hands the successor on" : "sees no dependent";
            }
            case PARK -> {
                boolean skips = variant == Variant.NOT_PARKED_IF_ATTACHED_MEANWHILE && words[WATCHED] == 1;
                words[PARKED] = skips ? 2 : 1;
                boolean looks = !skips && variant != Variant.LOOKED_BEFORE_PARKED;
                words[RELEASER] = looks ? LOOK_AGAIN : COMPLETE;
                return skips ? "keeps the successor" : "parks the successor";
            }
            case LOOK_AGAIN -> {
                words[RELEASER] = words[WATCHED] == 1 ? TAKE_FOR_DEPENDENT : COMPLETE;
                return "looks again";
            }
            case TAKE_FOR_DEPENDENT, GO_ON -> {
                words[STARTED] += words[PARKED] == 0 ? 0 : 1;
                words[PARKED] = 0;
                words[RELEASER] = words[RELEASER] == GO_ON ? DONE : COMPLETE;
                return "has the successor started, if it is still there";
            }
            case COMPLETE -> {
                words[COMPLETED] = 1;
                words[RELEASER] = FIND_DEPENDENT;
                return "completes the future";
            }
            case FIND_DEPENDENT -> {
                return take(words, RELEASER, GO_ON);
            }
            case IN_DEPENDENT -> {
                return leaveDependent(words, RELEASER, GO_ON);
            }
            default -> {
                return null;
            }
        }
    }

    private @Nullable String attach(int[] words) {
        switch (words[ATTACHER]) {
            case SAY_SO -> {
                words[WATCHED] = 1;
                boolean takes = variant != Variant.PARKED_BUT_NOT_TAKEN_BY_WHO_ATTACHES;
                words[ATTACHER] = takes && variant != Variant.LOOKED_ONCE ? TAKE : ATTACH;
                return "says that it will attach a dependent";
            }
            case TAKE -> {
                words[STARTED] += words[PARKED] == 1 ? 1 : 0;
                words[PARKED] = words[PARKED] == 1 ? 0 : words[PARKED];
                words[ATTACHER] = ATTACH;
                return "has the successor started, if it is parked";
            }
            case ATTACH -> {
                words[DEPENDENT] = 1;
                words[ATTACHER] = FIND_DEPENDENT;
                return "attaches the dependent";
            }
            case FIND_DEPENDENT -> {
                if (words[COMPLETED] == 1) {
                    return take(words, ATTACHER, DONE);
                }
                words[ATTACHER] = DONE;
                return "leaves the dependent to the other";
            }
            case IN_DEPENDENT -> {
                return leaveDependent(words, ATTACHER, DONE);
            }
            default -> {
                return null;
            }
        }
    }

    private static String take(int[] words, int thread, int otherwise) {
        boolean there = words[DEPENDENT] == 1;
        words[DEPENDENT] = there ? 2 : words[DEPENDENT];
        words[thread] = there ? IN_DEPENDENT : otherwise;
        return there ? "runs the dependent" : "finds no dependent to run";
    }

    private static @Nullable String leaveDependent(int[] words, int thread, int then) {
        if (words[STARTED] == 0) {
            return null;
        }
        words[thread] = then;
        return "has waited for the successor";
    }

    @Override
    public @Nullable String fault(int[] words) {
        return words[STARTED] > 1 ? "the successor was started twice" : null;
    }

    @Override
    public @Nullable String faultAtEnd(int[] words) {
        boolean through = words[RELEASER] == DONE && words[ATTACHER] == DONE && words[DEPENDENT] == 2;
        return through ? null : "the dependent waits for a successor that nobody starts";
    }
}
