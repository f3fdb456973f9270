package dev.lanekeeper.lanes;

import dev.lanekeeper.testkit.model.Model;
import org.jspecify.annotations.Nullable;

/**
 * The algorithm of {@link Alignment}: three bulks over three lanes, each sharing a lane with either of the others and the
 * first and second sharing two, and a single ticket. One step is the taking of one place, one count, or the release of one
 * place; a lane is a queue that just works, see {@link LaneModel}. Tickets are called 1, 2, and so on.
 */
final class BulkModel implements Model {
    /** The algorithm, or what might be taken for it. */
    enum Variant {
        AS_BUILT,
        SORTED_BUT_NOT_ATOMIC,
        DUPLICATE_KEY,
        COUNTED_PLACE_BY_PLACE,
        LAST_PLACE_COUNTED_BY_NOBODY
    }

    private static final int LANES = 3;
    private static final int[][] KEYS = {{0, 1, 2}, {0, 1}, {1, 2}, {0}};
    private static final int[][] TWICE = {{0, 1, 1}, {0, 1}, {1, 2}, {0}};

    // single words; then a word for each lane, its line as digits, the head in the lowest
    private static final int LOCK = 0;
    private static final int LINE = 1;
    private static final int FIRST = LINE + LANES;

    // words of a ticket
    private static final int MISSING = 0;
    private static final int AT = 1;
    private static final int PLACE = 2;
    private static final int OF_TICKET = 3;

    // where a ticket's thread is
    private static final int ASK = 0;
    private static final int COUNT_ONE_MORE = 1;
    private static final int TAKE = 2;
    private static final int COUNT_TAKING = 3;
    private static final int WAIT = 4;
    private static final int RUN = 5;
    private static final int GIVE_BACK = 6;
    private static final int GONE = 7;

    private final Variant variant;
    private final int[][] keys;

    BulkModel(Variant variant) {
        this.variant = variant;
        this.keys = variant == Variant.DUPLICATE_KEY ? TWICE : KEYS;
    }

    @Override
    public int threads() {
        return keys.length;
    }

    @Override
    public int[] initial() {
        int[] words = new int[FIRST + OF_TICKET * keys.length];
        for (int ticket = 1; ticket <= keys.length; ticket++) {
            words[word(ticket) + MISSING] = switch (variant) {
                case COUNTED_PLACE_BY_PLACE -> 0;
                case LAST_PLACE_COUNTED_BY_NOBODY -> keys[ticket - 1].length;
                default -> keys[ticket - 1].length + 1;
            };
        }
        return words;
    }

    private static int word(int ticket) {
        return FIRST + OF_TICKET * (ticket - 1);
    }

    @Override
    public @Nullable String step(int thread, int[] words) {
        int ticket = thread + 1;
        int mine = word(ticket);
        String did = switch (words[mine + AT]) {
            case ASK -> ask(words, mine);
            case COUNT_ONE_MORE -> {
                words[mine + MISSING]++;
                yield go(words, mine, TAKE, "counts one more place");
            }
            case TAKE -> take(words, ticket);
            case COUNT_TAKING -> {
                words[LOCK] = words[LOCK] == ticket ? 0 : words[LOCK];
                yield countTaking(words, mine);
            }
            case WAIT -> null;
            case RUN -> go(words, mine, GIVE_BACK, "ends");
            case GIVE_BACK -> giveBack(words, ticket);
            default -> null;
        };
        return did == null ? null : ticket + " " + did;
    }

    private static String go(int[] words, int mine, int place, String did) {
        words[mine + AT] = place;
        return did;
    }

    private @Nullable String ask(int[] words, int mine) {
        int ticket = 1 + (mine - FIRST) / OF_TICKET;
        boolean takesLock = keys[ticket - 1].length > 1 && variant != Variant.SORTED_BUT_NOT_ATOMIC;
        if (takesLock && words[LOCK] != 0) {
            return null;
        }
        words[LOCK] = takesLock ? ticket : words[LOCK];
        return go(words, mine, firstStep(), "begins to take places");
    }

    private int firstStep() {
        return variant == Variant.COUNTED_PLACE_BY_PLACE ? COUNT_ONE_MORE : TAKE;
    }

    private String take(int[] words, int ticket) {
        int mine = word(ticket);
        int lane = keys[ticket - 1][words[mine + PLACE]];
        int length = 0;
        for (int digits = words[LINE + lane]; digits != 0; digits >>= 3) {
            length++;
        }
        words[LINE + lane] |= ticket << (3 * length);
        boolean last = ++words[mine + PLACE] == keys[ticket - 1].length;
        words[mine + AT] = last ? COUNT_TAKING : firstStep();
        if (last) {
            words[mine + PLACE] = 0;
        }
        if (length == 0) {
            count(words, ticket, variant == Variant.COUNTED_PLACE_BY_PLACE);
        }
        return "takes a place in lane " + lane + " after " + length + " others";
    }

    /** One more of the places of {@code ticket} is a head, or all places are taken. */
    private static void count(int[] words, int ticket, boolean starts) {
        int mine = word(ticket);
        if (--words[mine + MISSING] == 0 && starts) {
            words[mine + AT] = RUN;
        }
    }

    private String countTaking(int[] words, int mine) {
        words[mine + AT] = WAIT;
        if (variant != Variant.COUNTED_PLACE_BY_PLACE && variant != Variant.LAST_PLACE_COUNTED_BY_NOBODY) {
            count(words, 1 + (mine - FIRST) / OF_TICKET, true);
        }
        return "has taken its places";
    }

    private String giveBack(int[] words, int ticket) {
        int mine = word(ticket);
        int lane = keys[ticket - 1][words[mine + PLACE]];
        words[LINE + lane] >>= 3;
        boolean last = ++words[mine + PLACE] == keys[ticket - 1].length;
        words[mine + AT] = last ? GONE : GIVE_BACK;
        int head = words[LINE + lane] & 7;
        if (head != 0) {
            count(words, head, true);
        }
        return "gives lane " + lane + " back to " + head;
    }

    @Override
    public @Nullable String fault(int[] words) {
        for (int ticket = 1; ticket <= keys.length; ticket++) {
            if (words[word(ticket) + AT] == RUN) {
                for (int lane : keys[ticket - 1]) {
                    if ((words[LINE + lane] & 7) != ticket) {
                        return "ticket " + ticket + " runs and does not head lane " + lane;
                    }
                }
            }
        }
        return null;
    }

    @Override
    public @Nullable String faultAtEnd(int[] words) {
        for (int ticket = 1; ticket <= keys.length; ticket++) {
            if (words[word(ticket) + AT] != GONE) {
                return "ticket " + ticket + " waits for ever";
            }
        }
        return null;
    }
}
