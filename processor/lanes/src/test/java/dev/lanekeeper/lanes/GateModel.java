package dev.lanekeeper.lanes;

import dev.lanekeeper.testkit.model.Model;
import org.jspecify.annotations.Nullable;

/**
 * The algorithm of {@link Gate}, one step for each access to memory that threads share: one or two tickets in lanes of
 * their own, two requests for a pause, and maybe an alarm that gives the first of these up at any time. Tickets are called 0
 * and 1, requests 1 and 2.
 *
 * <p>What becomes ready when the gate opens is started by the thread of the ticket; the fence between two pauses waits until
 * that has happened.
 */
final class GateModel implements Model {
    /** The algorithm, or what might be taken for it. */
    enum Variant {
        AS_BUILT,
        LOOK_AROUND_BEFORE_CLOSED_IS_SET,
        NO_SECOND_LOOK_AT_A_BLOCKER,
        END_DOES_NOT_READ_CLOSED_AGAIN,
        END_READS_CLOSED_BEFORE_IT_IS_WRITTEN,
        START_READS_CLOSED_BEFORE_IT_IS_WRITTEN,
        PARKED_WITHOUT_A_SECOND_LOOK,
        STARTED_BY_WHOEVER_SEES_IT_PARKED,
        BLOCKERS_SHARED_BETWEEN_REQUESTS,
        WAKE_UP_TRUSTED,
        HELD_WHILE_LOOKING
    }

    private static final int MOST_TICKETS = 2;
    static final int REQUESTS = 2;

    // single words
    static final int CLOSED = 0;
    static final int CURRENT = 1;
    static final int QUEUED_REQUEST = 2;
    static final int LOCK = 3;
    static final int WAITING = 4;
    static final int STARTED_TWICE = 5;
    static final int SINGLE = 6;

    // words of a ticket
    static final int RUNS = 0;
    static final int AT = 1;
    static final int GO = 2;
    static final int SEEN = 3;
    static final int OF_TICKET = 4;

    // words of a request; the alarm of the first has two of its own
    static final int STATE = 0;
    static final int STEP = 1;
    static final int BLOCKERS = 2;
    static final int LOOKS_AT = 3;
    static final int COPY = 4;
    static final int OF_REQUEST = 5;
    static final int ALARM = SINGLE + OF_TICKET * MOST_TICKETS + OF_REQUEST * REQUESTS;

    // where a ticket's thread is
    static final int START = 0;
    static final int READ_CLOSED = 1;
    static final int BACK_OUT = 2;
    static final int BODY = 3;
    static final int READ_CLOSED_AT_END = 4;
    static final int READ_CURRENT = 5;
    static final int STRIKE = 6;
    static final int HOLD = 7;
    static final int PARK = 8;
    static final int LOOK_AGAIN = 9;
    static final int UNPARK = 10;
    static final int PARKED = 11;
    static final int WRITE_END = 12;
    static final int GONE = 13;

    // what a request is
    static final int NEW = 0;
    static final int LOOKING = 1;
    static final int CLOSING = 2;
    static final int HELD = 3;
    static final int RELEASED = 4;
    static final int CANCELLED = 5;

    // where a request's thread is; the alarm's is at END or later
    static final int ASK = 0;
    static final int QUEUE_UP = 1;
    static final int BEGIN = 2;
    static final int CLOSE = 3;
    static final int LOOK = 4;
    static final int ADD = 5;
    static final int SECOND_LOOK = 6;
    static final int REMOVE = 7;
    static final int LOOKED = 8;
    static final int HOLD_IF_DRAINED = 9;
    static final int END = 10;
    static final int NEXT = 11;
    static final int OPEN = 12;
    static final int COPY_WAITING = 13;
    static final int ADMIT = 14;
    static final int HAND_ON = 15;
    static final int OVER = 16;

    final Variant variant;
    final int tickets;
    private final boolean alarm;

    GateModel(Variant variant, int tickets, boolean alarm) {
        this.variant = variant;
        this.tickets = tickets;
        this.alarm = alarm;
    }

    @Override
    public int threads() {
        return tickets + REQUESTS + (alarm ? 1 : 0);
    }

    @Override
    public int[] initial() {
        int[] words = new int[ALARM + OF_REQUEST];
        words[ALARM + STEP] = END;
        return words;
    }

    @Override
    public @Nullable String step(int thread, int[] words) {
        String did;
        if (thread < tickets) {
            did = new GateTicketSteps(this, words, thread).step();
            return did == null ? null : "ticket " + thread + " " + did;
        }
        boolean alarmed = thread == tickets + REQUESTS;
        int number = alarmed ? 1 : 1 + thread - tickets;
        did = new GateRequestSteps(this, words, number, alarmed ? ALARM : requestWord(number)).step();
        return did == null ? null : (alarmed ? "alarm of " : "request ") + number + " " + did;
    }

    @Override
    public @Nullable String fault(int[] words) {
        if (words[STARTED_TWICE] != 0) {
            return "a ticket was started while it was on its way";
        }
        for (int ticket = 0; ticket < tickets; ticket++) {
            int at = words[ticketWord(ticket) + AT];
            for (int number = 1; number <= REQUESTS; number++) {
                if ((at == BODY || at == WRITE_END) && words[requestWord(number) + STATE] == HELD) {
                    return "ticket " + ticket + " runs while pause " + number + " is held";
                }
            }
        }
        return null;
    }

    @Override
    public @Nullable String faultAtEnd(int[] words) {
        for (int ticket = 0; ticket < tickets; ticket++) {
            if (words[ticketWord(ticket) + AT] != GONE) {
                return "ticket " + ticket + " is never started again";
            }
        }
        for (int number = 1; number <= REQUESTS; number++) {
            int state = words[requestWord(number) + STATE];
            if (state != RELEASED && (state != CANCELLED || !alarm || number != 1)) {
                return "pause " + number + " is never held although nothing runs";
            }
        }
        return words[CLOSED] == 0 && words[CURRENT] == 0 ? null : "the gate stays closed";
    }

    static int ticketWord(int ticket) {
        return SINGLE + OF_TICKET * ticket;
    }

    static int requestWord(int number) {
        return SINGLE + OF_TICKET * MOST_TICKETS + OF_REQUEST * (number - 1);
    }

    int blockersWord(int number) {
        return requestWord(variant == Variant.BLOCKERS_SHARED_BETWEEN_REQUESTS ? 1 : number) + BLOCKERS;
    }

    /** Under the lock. */
    void holdIfDrained(int[] words, int number, boolean trusted) {
        int state = words[requestWord(number) + STATE];
        boolean mayBe = state == CLOSING || (state == LOOKING && variant == Variant.HELD_WHILE_LOOKING);
        if (mayBe && (trusted || words[blockersWord(number)] == 0)) {
            words[requestWord(number) + STATE] = HELD;
        }
    }
}
