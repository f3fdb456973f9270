package dev.lanekeeper.lanes;

import dev.lanekeeper.testkit.model.Model;
import org.jspecify.annotations.Nullable;

/**
 * One lane, its holder that looks at what is behind it and then lets go ({@link Ticket#behind}), and others that enqueue
 * meanwhile and let go as soon as they head the lane. Place 1 is the holder's, place {@code i + 1} that of thread {@code i}.
 */
final class BehindModel implements Model {
    /** The algorithm, or what might be taken for it. */
    enum Variant {
        AS_BUILT,
        TAKES_THE_TAIL_FOR_WHAT_IS_BEHIND,
        LOOKS_ON_AFTER_LETTING_GO
    }

    private static final int ENQUEUERS = 3;
    private static final int RELEASED = 9;

    // the lane itself; what is next to a place is at NEXT + place
    private static final int TAIL = 0;
    private static final int NEXT = 0;

    // what to judge it by, by place
    private static final int HEADS = NEXT + ENQUEUERS + 1;
    private static final int LEFT = HEADS + ENQUEUERS + 1;
    private static final int ARRIVALS = LEFT + ENQUEUERS + 2;
    private static final int ARRIVAL = ARRIVALS + 1;
    private static final int SIGHTS = ARRIVAL + ENQUEUERS;
    private static final int SIGHT = SIGHTS + 1;
    private static final int TOO_LATE = SIGHT + ENQUEUERS;
    private static final int AT_IT = TOO_LATE + 1;

    // where each thread is, and what it knows
    private static final int AT = AT_IT + 1;
    private static final int PLACE = AT + ENQUEUERS + 1;

    private final Variant variant;

    BehindModel(Variant variant) {
        this.variant = variant;
    }

    @Override
    public int threads() {
        return 1 + ENQUEUERS;
    }

    @Override
    public int[] initial() {
        int[] words = new int[PLACE + ENQUEUERS + 1];
        words[TAIL] = 1;
        words[PLACE] = 1;
        words[AT_IT] = 1;
        words[AT] = variant == Variant.LOOKS_ON_AFTER_LETTING_GO ? 1 : 0;
        return words;
    }

    @Override
    public @Nullable String step(int thread, int[] words) {
        return thread == 0 ? holder(words) : enqueuer(words, thread);
    }

    private @Nullable String holder(int[] words) {
        return switch (words[AT]) {
            case 0 -> look(words);
            case 1 -> {
                int successor = words[NEXT + 1];
                release(words, 1);
                boolean looksOn = variant == Variant.LOOKS_ON_AFTER_LETTING_GO && successor != 0;
                if (looksOn) {
                    see(words, successor);
                }
                words[AT] = looksOn ? 0 : 2;
                words[AT_IT] = looksOn ? 1 : 0;
                yield "lets go";
            }
            default -> null;
        };
    }

    /** {@link Ticket#behind}, of what was found last. */
    private String look(int[] words) {
        int place = words[PLACE];
        int behind = variant == Variant.TAKES_THE_TAIL_FOR_WHAT_IS_BEHIND
                ? words[TAIL] == place ? 0 : words[TAIL]
                : words[NEXT + place];
        if (behind == 0 || behind == RELEASED) {
            boolean hasLetGo = variant == Variant.LOOKS_ON_AFTER_LETTING_GO;
            words[AT] = hasLetGo ? 2 : 1;
            words[AT_IT] = hasLetGo ? 0 : 1;
            return "sees nothing behind " + place;
        }
        see(words, behind);
        return "sees " + behind + " behind " + place;
    }

    private static void see(int[] words, int place) {
        words[PLACE] = place;
        words[SIGHT + words[SIGHTS]++] = place;
    }

    private static void release(int[] words, int place) {
        int successor = words[NEXT + place];
        words[NEXT + place] = RELEASED;
        words[LEFT + place] = 1;
        if (successor != 0) {
            words[HEADS + successor - 1] = 1;
        }
    }

    private static @Nullable String enqueuer(int[] words, int thread) {
        int place = thread + 1;
        return switch (words[AT + thread]) {
            case 0 -> {
                words[PLACE + thread] = words[TAIL];
                words[TAIL] = place;
                words[ARRIVAL + words[ARRIVALS]++] = place;
                words[AT + thread] = 1;
                yield "arrives";
            }
            case 1 -> {
                int previous = words[PLACE + thread];
                words[AT + thread] = 2;
                if (words[NEXT + previous] == RELEASED) {
                    words[HEADS + place - 1] = 1;
                    yield "heads the lane";
                }
                words[NEXT + previous] = place;
                yield "is linked behind " + previous;
            }
            case 2 -> {
                if (words[HEADS + place - 1] == 0) {
                    yield null;
                }
                words[AT + thread] = 3;
                for (int i = 0; i < words[SIGHTS]; i++) {
                    if (words[SIGHT + i] == place) {
                        words[TOO_LATE] |= words[AT_IT];
                    }
                }
                release(words, place);
                yield "has its turn and lets go";
            }
            default -> null;
        };
    }

    @Override
    public @Nullable String fault(int[] words) {
        for (int i = 0; i < words[SIGHTS]; i++) {
            if (words[SIGHT + i] != words[ARRIVAL + i]) {
                return "place " + words[SIGHT + i] + " was taken for number " + i + " behind the holder";
            }
        }
        return words[TOO_LATE] == 0 ? null : "a place had its turn while the holder was at what it saw";
    }

    @Override
    public @Nullable String faultAtEnd(int[] words) {
        for (int place = 1; place <= ENQUEUERS + 1; place++) {
            if (words[LEFT + place] == 0) {
                return "place " + place + " never had its turn";
            }
        }
        return null;
    }
}
