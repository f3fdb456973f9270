package dev.lanekeeper.lanes;

import dev.lanekeeper.testkit.model.Model;
import org.jspecify.annotations.Nullable;

/**
 * How a bulk is given up while lanes come to it, as in {@link Alignment}: one thread for each lane, which lets the bulk's seat
 * head the lane and sees to it, and one that gives the bulk up. One step is one read or write of a shared word. Whoever counts the
 * last seat runs the bulk and gives all lanes back.
 */
final class VacateModel implements Model {
    /** The algorithm, or what might be taken for it. */
    enum Variant {
        AS_BUILT,
        LOOKS_BEFORE_IT_SAYS_SO,
        LEAVES_BEFORE_IT_SAYS_SO,
        SEATS_THAT_COME_LATER_ARE_FORGOTTEN,
        BOTH_MAY_LEAVE,
        GIVEN_UP_THOUGH_IT_RUNS
    }

    private static final int LANES = 3;

    // words
    private static final int STATE = 0;
    private static final int MISSING = 1;
    private static final int VACATED = 2;
    private static final int HEAD = 3;
    private static final int LEFT = HEAD + LANES;
    private static final int AT = LEFT + LANES;
    private static final int SEAT = AT + LANES + 1;
    private static final int WORDS = SEAT + 1;

    // states of the ticket
    private static final int QUEUED = 0;
    private static final int RUNNING = 1;
    private static final int RAN = 2;
    private static final int GIVEN_UP = 3;

    // where a lane's thread is, and where the one who gives up is
    private static final int BEGIN = 0;
    private static final int SECOND = 1;
    private static final int LEAVE = 2;
    private static final int COUNT = 3;
    private static final int START = 4;
    private static final int END = 5;
    private static final int GONE = 6;

    private final Variant variant;

    VacateModel(Variant variant) {
        this.variant = variant;
    }

    @Override
    public int threads() {
        return LANES + 1;
    }

    @Override
    public int[] initial() {
        int[] words = new int[WORDS];
        words[MISSING] = LANES;
        return words;
    }

    @Override
    public @Nullable String step(int thread, int[] words) {
        if (words[AT + thread] == GONE) {
            return null;
        }
        return thread == LANES ? giveUp(words) : "lane " + thread + " " + come(thread, words);
    }

    private String come(int lane, int[] words) {
        boolean looksFirst = variant == Variant.LOOKS_BEFORE_IT_SAYS_SO;
        return switch (words[AT + lane]) {
            case BEGIN -> looksFirst ? look(lane, words, SECOND) : sayHead(lane, words, SECOND);
            case SECOND -> looksFirst ? sayHead(lane, words, COUNT) : look(lane, words, COUNT);
            case LEAVE -> leave(lane, lane, words, GONE);
            case COUNT -> go(lane, words, --words[MISSING] == 0 ? START : GONE, "counts");
            case START -> {
                boolean starts = words[STATE] == QUEUED;
                words[STATE] = starts ? RUNNING : words[STATE];
                yield go(lane, words, starts ? END : GONE, starts ? "starts it" : "finds it given up");
            }
            default -> {
                words[STATE] = words[STATE] == RUNNING ? RAN : words[STATE];
                for (int each = 0; each < LANES; each++) {
                    words[LEFT + each]++;
                }
                yield go(lane, words, GONE, "ends it");
            }
        };
    }

    private String look(int lane, int[] words, int otherwise) {
        boolean vacated = words[VACATED] == 1 && variant != Variant.SEATS_THAT_COME_LATER_ARE_FORGOTTEN;
        return go(lane, words, vacated ? LEAVE : otherwise, "reads that it was " + (vacated ? "" : "not ") + "vacated");
    }

    private static String sayHead(int lane, int[] words, int then) {
        words[HEAD + lane] = 1;
        return go(lane, words, then, "says that its seat heads it");
    }

    private String leave(int thread, int lane, int[] words, int then) {
        boolean mine = words[HEAD + lane] == 1 || (variant == Variant.BOTH_MAY_LEAVE && words[LEFT + lane] > 0);
        if (mine) {
            words[HEAD + lane] = 0;
            words[LEFT + lane]++;
        }
        return go(thread, words, then, (mine ? "leaves lane " : "need not leave lane ") + lane);
    }

    private String giveUp(int[] words) {
        boolean leavesFirst = variant == Variant.LEAVES_BEFORE_IT_SAYS_SO;
        return "giver-up "
                + switch (words[AT + LANES]) {
                    case BEGIN -> {
                        boolean may = words[STATE] == QUEUED || variant == Variant.GIVEN_UP_THOUGH_IT_RUNS;
                        words[STATE] = may ? GIVEN_UP : words[STATE];
                        yield go(LANES, words, may ? (leavesFirst ? LEAVE : SECOND) : GONE, "tries to give it up");
                    }
                    case SECOND -> {
                        words[VACATED] = 1;
                        yield go(LANES, words, leavesFirst ? GONE : LEAVE, "says so");
                    }
                    default -> {
                        int seat = words[SEAT]++;
                        boolean last = seat == LANES - 1;
                        yield leave(LANES, seat, words, !last ? LEAVE : leavesFirst ? SECOND : GONE);
                    }
                };
    }

    private static String go(int thread, int[] words, int place, String did) {
        words[AT + thread] = place;
        return did;
    }

    @Override
    public @Nullable String fault(int[] words) {
        for (int lane = 0; lane < LANES; lane++) {
            if (words[LEFT + lane] > 1) {
                return "lane " + lane + " was left twice";
            }
            boolean runs = false;
            for (int thread = 0; thread < LANES; thread++) {
                runs |= words[AT + thread] == END;
            }
            if (runs && words[LEFT + lane] > 0) {
                return "lane " + lane + " was left while the bulk runs";
            }
        }
        return null;
    }

    @Override
    public @Nullable String faultAtEnd(int[] words) {
        for (int lane = 0; lane < LANES; lane++) {
            if (words[LEFT + lane] != 1) {
                return "lane " + lane + " was never left";
            }
        }
        return null;
    }
}
