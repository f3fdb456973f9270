package dev.lanekeeper.lanes;

import dev.lanekeeper.testkit.model.Model;
import org.jspecify.annotations.Nullable;

/**
 * The algorithm of {@link Lane}, one step for each access to memory that threads share: some threads submit a ticket
 * each for the same key, and each ticket, once it is ready, has a thread that runs it. Tickets are called 1, 2, and so
 * on, lanes likewise in the order of their birth, 0 is nobody.
 *
 * <p>Besides the words of the algorithm there are some to judge it by: who holds the key, in which order tickets
 * arrived, and how many of them have become ready.
 */
final class LaneModel implements Model {
    /** The algorithm, or what might be taken for it. */
    enum Variant {
        AS_BUILT,
        WITHOUT_TOMBSTONE,
        UNMAPPED_BY_KEY,
        ENQUEUED_BEFORE_RETAINED,
        DEAD_LANE_REVIVED,
        LINKED_BY_READ_THEN_WRITE,
        UNLINKED_BY_READ_THEN_WRITE,
        TAIL_BY_READ_THEN_WRITE,
        BURIED_BY_READ_THEN_WRITE,
        TICKET_DROPPED_WHEN_RELEASED_BEFORE_LINKED
    }

    private static final int DEAD = -1_000;
    private static final int RELEASED = -1;

    // single words
    private static final int MAP = 0;
    private static final int BORN = 1;
    private static final int HOLDER = 2;
    private static final int ARRIVED = 3;
    private static final int READY = 4;
    private static final int FAULT = 5;
    private static final int SINGLE = 6;

    // words of a lane
    private static final int REFS = 0;
    private static final int TAIL = 1;
    private static final int OF_LANE = 2;

    // words of a ticket: the first is shared, the rest are the local variables of its two threads
    private static final int NEXT = 0;
    private static final int LANE = 1;
    private static final int SUBMITTER = 2;
    private static final int PREVIOUS = 3;
    private static final int RUNNER = 4;
    private static final int SUCCESSOR = 5;
    private static final int OF_TICKET = 6;

    // where a submitter is
    private static final int LOOK = 0;
    private static final int BEAR = 1;
    private static final int RETAIN = 2;
    private static final int HELP = 3;
    private static final int ENQUEUE = 4;
    private static final int SET_TAIL = 5;
    private static final int LINK = 6;
    private static final int SET_NEXT = 7;
    private static final int SUBMITTED = 8;

    // where a runner is
    private static final int IDLE = 0;
    private static final int RUN = 1;
    private static final int SET_RELEASED = 2;
    private static final int UNRETAIN = 3;
    private static final int BURY = 4;
    private static final int UNMAP = 5;
    private static final int HAND_ON = 6;
    private static final int ENDED = 7;
    private static final int UNLINK = 8;
    private static final int SET_DEAD = 9;

    private static final int RAN_AT_ONCE = 1;
    private static final int OUT_OF_ORDER = 2;
    private static final int RAN_TWICE = 3;

    private final Variant variant;
    private final int tickets;
    private final int lanes;

    LaneModel(Variant variant, int tickets) {
        this.variant = variant;
        this.tickets = tickets;
        this.lanes = 3 * tickets; // a wrong variant may bear more than one each
    }

    @Override
    public int threads() {
        return 2 * tickets;
    }

    @Override
    public int[] initial() {
        return new int[SINGLE + OF_LANE * lanes + OF_TICKET * tickets];
    }

    @Override
    public @Nullable String step(int thread, int[] words) {
        boolean submits = thread < tickets;
        int ticket = 1 + (submits ? thread : thread - tickets);
        String did = submits ? new Submitter(words, ticket).step() : new Runner(words, ticket).step();
        return did == null ? null : (submits ? "submitter of " : "runner of ") + ticket + " " + did;
    }

    @Override
    public @Nullable String fault(int[] words) {
        return switch (words[FAULT]) {
            case RAN_AT_ONCE -> "two tickets of the key are ready at once";
            case OUT_OF_ORDER -> "a ticket became ready before one that arrived earlier";
            case RAN_TWICE -> "a ticket became ready twice";
            default -> null;
        };
    }

    @Override
    public @Nullable String faultAtEnd(int[] words) {
        for (int ticket = 1; ticket <= tickets; ticket++) {
            if (words[ticketWord(ticket) + RUNNER] != ENDED) {
                return "ticket " + ticket + " was lost";
            }
        }
        return words[MAP] == 0 ? null : "lane " + words[MAP] + " was left behind";
    }

    private int ticketWord(int ticket) {
        return SINGLE + OF_LANE * lanes + OF_TICKET * (ticket - 1);
    }

    /** The words, and what both kinds of thread do with them. */
    private abstract class Stepper {
        final int[] words;
        final int ticket;
        final int mine;
        private final int at;

        Stepper(int[] words, int ticket, int at) {
            this.words = words;
            this.ticket = ticket;
            this.mine = ticketWord(ticket);
            this.at = at;
        }

        final void go(int place) {
            words[mine + at] = place;
        }

        final int lane() {
            return words[mine + LANE];
        }

        final int laneWord() {
            return SINGLE + OF_LANE * (lane() - 1);
        }

        final void unmapMine() {
            if (words[MAP] == lane() || variant == Variant.UNMAPPED_BY_KEY) {
                words[MAP] = 0;
            }
        }

        /** The ticket heads its lane: the algorithm has it started. Here it is judged whether that was right. */
        final void ready(int head) {
            int arrival = 0; // of those not ready yet, ARRIVED has the earliest in its lowest digit
            for (int digits = words[ARRIVED], skip = words[READY]; digits != 0; digits >>= 3, skip--) {
                arrival = skip == 0 ? digits & 7 : arrival;
            }
            int runner = ticketWord(head) + RUNNER;
            if (words[runner] != IDLE) {
                words[FAULT] = RAN_TWICE;
            } else if (words[HOLDER] != 0) {
                words[FAULT] = RAN_AT_ONCE;
            } else if (arrival != head) {
                words[FAULT] = OUT_OF_ORDER;
            }
            words[runner] = RUN;
            words[HOLDER] = head;
            words[READY]++;
        }
    }

    /** {@link Lanes#enqueue}, line by line. */
    private final class Submitter extends Stepper {
        Submitter(int[] words, int ticket) {
            super(words, ticket, SUBMITTER);
        }

        @Nullable
        String step() {
            return switch (words[mine + SUBMITTER]) {
                case LOOK -> look();
                case BEAR -> bear();
                case RETAIN -> retain();
                case HELP -> help();
                case ENQUEUE -> enqueue();
                case SET_TAIL -> setTail();
                case LINK -> link();
                case SET_NEXT -> setNext();
                default -> null;
            };
        }

        private String look() {
            int lane = words[MAP];
            words[mine + LANE] = lane;
            go(lane == 0 ? BEAR : variant == Variant.ENQUEUED_BEFORE_RETAINED ? ENQUEUE : RETAIN);
            return "finds lane " + lane;
        }

        private String bear() {
            if (words[MAP] != 0) {
                return look() + ", which another bore";
            }
            words[MAP] = ++words[BORN];
            words[mine + LANE] = words[BORN];
            words[laneWord() + REFS] = variant == Variant.ENQUEUED_BEFORE_RETAINED ? 0 : 1;
            go(ENQUEUE);
            return "bears lane " + lane();
        }

        private String retain() {
            int refs = words[laneWord() + REFS]++;
            if (refs >= 0) {
                go(variant == Variant.ENQUEUED_BEFORE_RETAINED ? LINK : ENQUEUE);
                return "retains lane " + lane() + ", it had " + refs;
            }
            if (variant == Variant.DEAD_LANE_REVIVED) {
                words[laneWord() + REFS] = 1;
                go(ENQUEUE);
                return "revives lane " + lane();
            }
            words[mine + PREVIOUS] = 0;
            go(HELP);
            return "finds lane " + lane() + " dead";
        }

        private String help() {
            unmapMine();
            go(LOOK);
            return "helps to unmap lane " + lane();
        }

        private String enqueue() {
            words[mine + PREVIOUS] = words[laneWord() + TAIL];
            if (variant == Variant.TAIL_BY_READ_THEN_WRITE) {
                go(SET_TAIL);
                return "reads the tail: " + words[mine + PREVIOUS];
            }
            return setTail();
        }

        private String setTail() {
            words[laneWord() + TAIL] = ticket;
            int arrivals = (34 - Integer.numberOfLeadingZeros(words[ARRIVED])) / 3; // digits are not 0
            words[ARRIVED] |= ticket << (3 * arrivals);
            int previous = words[mine + PREVIOUS];
            if (variant == Variant.ENQUEUED_BEFORE_RETAINED) {
                go(RETAIN);
            } else if (previous == 0) {
                go(SUBMITTED);
                ready(ticket);
            } else {
                go(LINK);
            }
            return "enters lane " + lane() + " after " + previous;
        }

        private String link() {
            int previous = words[mine + PREVIOUS];
            boolean released = previous == 0 || words[ticketWord(previous) + NEXT] == RELEASED;
            if (released) {
                words[mine + PREVIOUS] = 0;
                go(SUBMITTED);
                if (variant != Variant.TICKET_DROPPED_WHEN_RELEASED_BEFORE_LINKED) {
                    ready(ticket);
                }
                return "heads the line, " + previous + " is released";
            }
            if (variant == Variant.LINKED_BY_READ_THEN_WRITE) {
                go(SET_NEXT);
                return "sees that " + previous + " is not released";
            }
            return setNext();
        }

        private String setNext() {
            int previous = words[mine + PREVIOUS];
            words[ticketWord(previous) + NEXT] = ticket;
            words[mine + PREVIOUS] = 0;
            go(SUBMITTED);
            return "links itself to " + previous;
        }
    }

    /** {@link Lane#release} and what follows it, line by line. */
    private final class Runner extends Stepper {
        Runner(int[] words, int ticket) {
            super(words, ticket, RUNNER);
        }

        private void goOn() {
            go(words[mine + SUCCESSOR] == 0 ? ENDED : HAND_ON);
        }

        @Nullable
        String step() {
            return switch (words[mine + RUNNER]) {
                case RUN -> buryIfAlone();
                case SET_DEAD -> setDead();
                case UNLINK -> unlink();
                case SET_RELEASED -> setReleased();
                case UNRETAIN -> unretain();
                case BURY -> bury();
                case UNMAP -> unmap();
                case HAND_ON -> handOn();
                default -> null;
            };
        }

        private String buryIfAlone() {
            int refs = words[laneWord() + REFS];
            if (refs == 1 && variant != Variant.BURIED_BY_READ_THEN_WRITE) {
                return setDead();
            }
            go(refs == 1 ? SET_DEAD : UNLINK);
            return "reads that lane " + lane() + " has " + refs;
        }

        private String setDead() {
            words[laneWord() + REFS] = variant == Variant.WITHOUT_TOMBSTONE ? 0 : DEAD;
            letGo();
            go(UNMAP);
            return "is alone in lane " + lane() + " and buries it";
        }

        private void letGo() {
            words[HOLDER] = words[HOLDER] == ticket ? 0 : words[HOLDER];
        }

        private String unlink() {
            words[mine + SUCCESSOR] = words[mine + NEXT];
            if (variant == Variant.UNLINKED_BY_READ_THEN_WRITE) {
                go(SET_RELEASED);
                return "reads its successor: " + words[mine + NEXT];
            }
            return setReleased();
        }

        private String setReleased() {
            words[mine + NEXT] = RELEASED;
            letGo();
            go(UNRETAIN);
            return "releases, its successor is " + words[mine + SUCCESSOR];
        }

        private String unretain() {
            int refs = words[laneWord() + REFS]--;
            if (refs != 1) {
                goOn();
            } else {
                go(variant == Variant.WITHOUT_TOMBSTONE ? UNMAP : BURY);
            }
            return "gives lane " + lane() + " back, it had " + refs;
        }

        private String bury() {
            if (words[laneWord() + REFS] != 0) {
                goOn();
                return "can't bury lane " + lane() + ", it is retained again";
            }
            words[laneWord() + REFS] = DEAD;
            go(UNMAP);
            return "buries lane " + lane();
        }

        private String unmap() {
            unmapMine();
            goOn();
            return "unmaps lane " + lane();
        }

        private String handOn() {
            int successor = words[mine + SUCCESSOR];
            words[mine + SUCCESSOR] = 0;
            go(ENDED);
            ready(successor);
            return "has " + successor + " started";
        }
    }
}
