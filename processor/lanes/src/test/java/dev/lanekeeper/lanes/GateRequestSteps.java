package dev.lanekeeper.lanes;

import static dev.lanekeeper.lanes.GateModel.ADD;
import static dev.lanekeeper.lanes.GateModel.ADMIT;
import static dev.lanekeeper.lanes.GateModel.ALARM;
import static dev.lanekeeper.lanes.GateModel.ASK;
import static dev.lanekeeper.lanes.GateModel.AT;
import static dev.lanekeeper.lanes.GateModel.BEGIN;
import static dev.lanekeeper.lanes.GateModel.CANCELLED;
import static dev.lanekeeper.lanes.GateModel.CLOSE;
import static dev.lanekeeper.lanes.GateModel.CLOSED;
import static dev.lanekeeper.lanes.GateModel.CLOSING;
import static dev.lanekeeper.lanes.GateModel.COPY;
import static dev.lanekeeper.lanes.GateModel.COPY_WAITING;
import static dev.lanekeeper.lanes.GateModel.CURRENT;
import static dev.lanekeeper.lanes.GateModel.END;
import static dev.lanekeeper.lanes.GateModel.GO;
import static dev.lanekeeper.lanes.GateModel.HAND_ON;
import static dev.lanekeeper.lanes.GateModel.HELD;
import static dev.lanekeeper.lanes.GateModel.HOLD_IF_DRAINED;
import static dev.lanekeeper.lanes.GateModel.LOCK;
import static dev.lanekeeper.lanes.GateModel.LOOK;
import static dev.lanekeeper.lanes.GateModel.LOOKED;
import static dev.lanekeeper.lanes.GateModel.LOOKING;
import static dev.lanekeeper.lanes.GateModel.LOOKS_AT;
import static dev.lanekeeper.lanes.GateModel.NEW;
import static dev.lanekeeper.lanes.GateModel.NEXT;
import static dev.lanekeeper.lanes.GateModel.OPEN;
import static dev.lanekeeper.lanes.GateModel.OVER;
import static dev.lanekeeper.lanes.GateModel.PARKED;
import static dev.lanekeeper.lanes.GateModel.QUEUED_REQUEST;
import static dev.lanekeeper.lanes.GateModel.QUEUE_UP;
import static dev.lanekeeper.lanes.GateModel.RELEASED;
import static dev.lanekeeper.lanes.GateModel.REMOVE;
import static dev.lanekeeper.lanes.GateModel.RUNS;
import static dev.lanekeeper.lanes.GateModel.SECOND_LOOK;
import static dev.lanekeeper.lanes.GateModel.STATE;
import static dev.lanekeeper.lanes.GateModel.STEP;
import static dev.lanekeeper.lanes.GateModel.WAITING;
import static dev.lanekeeper.lanes.GateModel.requestWord;
import static dev.lanekeeper.lanes.GateModel.ticketWord;

import dev.lanekeeper.lanes.GateModel.Variant;
import org.jspecify.annotations.Nullable;

/** {@code Gate.request}, {@code close} and {@code end}; the alarm's thread comes for the last alone. */
final class GateRequestSteps {
    private final GateModel model;
    private final Variant variant;
    private final int[] words;
    private final int number;
    private final int state;
    private final int locals;

    GateRequestSteps(GateModel model, int[] words, int number, int locals) {
        this.model = model;
        this.variant = model.variant;
        this.words = words;
        this.number = number;
        this.state = requestWord(number) + STATE;
        this.locals = locals;
    }

    private String go(int place, String did) {
        words[locals + STEP] = place;
        return did;
    }

    private boolean locked() {
        return words[LOCK] != 0;
    }

    @Nullable
    String step() {
        int at = words[locals + STEP];
        return at < LOOK ? begin(at) : at < END ? look(at) : end(at);
    }

    private @Nullable String begin(int at) {
        switch (at) {
            case ASK -> {
                if (locked()) {
                    return null;
                }
                if (words[state] == CANCELLED) {
                    return go(OVER, "was given up before it was asked for");
                }
                if (words[CURRENT] != 0) {
                    words[QUEUED_REQUEST] = number;
                    return go(QUEUE_UP, "queues up");
                }
                words[CURRENT] = number;
                return go(BEGIN, "has its turn");
            }
            case BEGIN -> {
                if (locked()) {
                    return null;
                }
                if (words[state] != NEW) {
                    return go(OVER, "was given up");
                }
                words[state] = LOOKING;
                words[LOCK] = 1;
                boolean early = variant == Variant.LOOK_AROUND_BEFORE_CLOSED_IS_SET;
                words[LOCK] = early ? 0 : 1;
                return go(early ? LOOK : CLOSE, "begins");
            }
            case CLOSE -> {
                words[CLOSED] = 1;
                words[LOCK] = 0;
                boolean late = variant == Variant.LOOK_AROUND_BEFORE_CLOSED_IS_SET;
                return go(late ? LOOKED : LOOK, "closes the gate");
            }
            default -> { // QUEUE_UP: whoever ends the one before has it begin
                return words[state] == CANCELLED ? go(OVER, "was given up in the queue") : null;
            }
        }
    }

    private @Nullable String look(int at) {
        int ticket = words[locals + LOOKS_AT];
        if (at == LOOK && ticket == model.tickets) {
            boolean late = variant == Variant.LOOK_AROUND_BEFORE_CLOSED_IS_SET;
            return go(late ? CLOSE : LOOKED, "has looked around");
        }
        boolean runs = ticket < model.tickets && words[ticketWord(ticket) + RUNS] != 0;
        switch (at) {
            case LOOK -> {
                words[locals + LOOKS_AT] += runs ? 0 : 1;
                return go(runs ? ADD : LOOK, "looks at " + ticket + ", which runs: " + runs);
            }
            case ADD -> {
                words[model.blockersWord(number)] |= 1 << ticket;
                boolean once = variant == Variant.NO_SECOND_LOOK_AT_A_BLOCKER;
                words[locals + LOOKS_AT] += once ? 1 : 0;
                return go(once ? LOOK : SECOND_LOOK, "adds " + ticket);
            }
            case SECOND_LOOK -> {
                words[locals + LOOKS_AT] += runs ? 1 : 0;
                return go(runs ? LOOK : REMOVE, "looks at " + ticket + " again, which runs: " + runs);
            }
            case REMOVE -> {
                words[model.blockersWord(number)] &= ~(1 << ticket);
                words[locals + LOOKS_AT]++;
                return go(LOOK, "removes " + ticket);
            }
            default -> {
                if (locked()) {
                    return null;
                }
                if (at == LOOKED) {
                    boolean wanted = words[state] == LOOKING || words[state] == HELD;
                    words[state] = words[state] == LOOKING ? CLOSING : words[state];
                    return go(wanted ? HOLD_IF_DRAINED : OVER, "waits for what runs: " + wanted);
                }
                model.holdIfDrained(words, number, false);
                return go(END, "is held if nothing runs");
            }
        }
    }

    private @Nullable String end(int at) {
        switch (at) {
            case END -> {
                return beginEnd();
            }
            case NEXT -> {
                words[locals + LOOKS_AT] = words[QUEUED_REQUEST];
                words[CURRENT] = words[QUEUED_REQUEST];
                words[QUEUED_REQUEST] = 0;
                return go(OPEN, "gives the turn to " + words[CURRENT]);
            }
            case OPEN -> {
                words[CLOSED] = 0;
                return go(COPY_WAITING, "opens the gate");
            }
            case COPY_WAITING -> {
                words[locals + COPY] = words[WAITING];
                words[LOCK] = 0;
                return go(ADMIT, "sees who waits");
            }
            case ADMIT -> {
                return admit();
            }
            case HAND_ON -> {
                return handOn();
            }
            default -> {
                return null;
            }
        }
    }

    private @Nullable String beginEnd() {
        boolean alarmed = locals == ALARM;
        int now = words[state];
        if (locked() || (!alarmed && (now == LOOKING || now == CLOSING))) {
            return null;
        }
        if (now > HELD || (alarmed && now == HELD)) {
            return go(OVER, "has nothing to end");
        }
        words[state] = alarmed ? CANCELLED : RELEASED;
        if (words[CURRENT] != number) {
            words[QUEUED_REQUEST] = words[QUEUED_REQUEST] == number ? 0 : words[QUEUED_REQUEST];
            return go(OVER, "is given up before its turn");
        }
        words[LOCK] = 1;
        return go(NEXT, alarmed ? "gives it up" : "releases it");
    }

    private String admit() {
        for (int ticket = 0; ticket < model.tickets; ticket++) {
            int bit = 1 << ticket;
            if ((words[locals + COPY] & bit) != 0) {
                words[locals + COPY] &= ~bit;
                boolean mine = (words[WAITING] & bit) != 0;
                words[WAITING] &= ~bit;
                words[ticketWord(ticket) + GO] = mine ? 1 : words[ticketWord(ticket) + GO];
                return "admits " + ticket + ": " + mine;
            }
        }
        return go(HAND_ON, "has admitted all");
    }

    /** The fence: passed when all that were ready are on their way. */
    private @Nullable String handOn() {
        int next = words[locals + LOOKS_AT];
        for (int ticket = 0; ticket < model.tickets; ticket++) {
            int word = ticketWord(ticket);
            if (words[word + AT] == PARKED && words[word + GO] != 0) {
                return null;
            }
        }
        if (next != 0) {
            words[requestWord(next) + STEP] = BEGIN;
        }
        return go(OVER, "has " + next + " begin");
    }
}
