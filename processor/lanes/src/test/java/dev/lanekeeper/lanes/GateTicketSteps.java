package dev.lanekeeper.lanes;

import static dev.lanekeeper.lanes.GateModel.AT;
import static dev.lanekeeper.lanes.GateModel.BACK_OUT;
import static dev.lanekeeper.lanes.GateModel.BODY;
import static dev.lanekeeper.lanes.GateModel.CLOSED;
import static dev.lanekeeper.lanes.GateModel.CURRENT;
import static dev.lanekeeper.lanes.GateModel.GO;
import static dev.lanekeeper.lanes.GateModel.GONE;
import static dev.lanekeeper.lanes.GateModel.HOLD;
import static dev.lanekeeper.lanes.GateModel.LOCK;
import static dev.lanekeeper.lanes.GateModel.LOOK_AGAIN;
import static dev.lanekeeper.lanes.GateModel.PARK;
import static dev.lanekeeper.lanes.GateModel.PARKED;
import static dev.lanekeeper.lanes.GateModel.READ_CLOSED;
import static dev.lanekeeper.lanes.GateModel.READ_CLOSED_AT_END;
import static dev.lanekeeper.lanes.GateModel.READ_CURRENT;
import static dev.lanekeeper.lanes.GateModel.RUNS;
import static dev.lanekeeper.lanes.GateModel.SEEN;
import static dev.lanekeeper.lanes.GateModel.START;
import static dev.lanekeeper.lanes.GateModel.STARTED_TWICE;
import static dev.lanekeeper.lanes.GateModel.STRIKE;
import static dev.lanekeeper.lanes.GateModel.UNPARK;
import static dev.lanekeeper.lanes.GateModel.WAITING;
import static dev.lanekeeper.lanes.GateModel.WRITE_END;
import static dev.lanekeeper.lanes.GateModel.ticketWord;

import dev.lanekeeper.lanes.GateModel.Variant;
import org.jspecify.annotations.Nullable;

/** {@code Ticket.turn}, or {@code takeUp}, whose steps are the same to the gate, and what follows it. */
final class GateTicketSteps {
    private final GateModel model;
    private final Variant variant;
    private final int[] words;
    private final int bit;
    private final int mine;

    GateTicketSteps(GateModel model, int[] words, int ticket) {
        this.model = model;
        this.variant = model.variant;
        this.words = words;
        this.bit = 1 << ticket;
        this.mine = ticketWord(ticket);
    }

    private String go(int place, String did) {
        words[mine + AT] = place;
        return did;
    }

    @Nullable
    String step() {
        boolean early = variant == Variant.START_READS_CLOSED_BEFORE_IT_IS_WRITTEN;
        return switch (words[mine + AT]) {
            case START -> {
                words[mine + GO] = 0;
                words[mine + RUNS] = early ? 0 : 1;
                yield early ? readClosed() : go(READ_CLOSED, "says that it runs");
            }
            case READ_CLOSED -> readClosed();
            case BACK_OUT -> {
                words[mine + RUNS] = 0;
                yield go(READ_CURRENT, "backs out");
            }
            case BODY -> endBody();
            case WRITE_END -> {
                words[mine + RUNS] = 0;
                yield go(words[mine + SEEN] == 0 ? GONE : READ_CURRENT, "has ended");
            }
            case READ_CLOSED_AT_END -> {
                boolean tell = words[CLOSED] != 0 && variant != Variant.END_DOES_NOT_READ_CLOSED_AGAIN;
                words[mine + SEEN] = 1;
                yield go(tell ? READ_CURRENT : GONE, "reads closed at its end: " + words[CLOSED]);
            }
            case READ_CURRENT -> {
                words[mine + GO] = words[CURRENT];
                yield go(words[CURRENT] == 0 ? told() : STRIKE, "tells pause " + words[CURRENT]);
            }
            case STRIKE -> strike();
            case HOLD -> hold();
            default -> parking();
        };
    }

    private String readClosed() {
        words[mine + RUNS] = words[CLOSED] == 0 ? words[mine + RUNS] : 1;
        if (variant == Variant.START_READS_CLOSED_BEFORE_IT_IS_WRITTEN && words[CLOSED] == 0) {
            return go(BODY, "reads that it is open, and will say that it runs");
        }
        return go(words[CLOSED] == 0 ? BODY : BACK_OUT, "reads closed: " + words[CLOSED]);
    }

    private String endBody() {
        if (variant == Variant.START_READS_CLOSED_BEFORE_IT_IS_WRITTEN && words[mine + RUNS] == 0) {
            words[mine + RUNS] = 1;
            return "says that it runs";
        }
        if (variant == Variant.END_READS_CLOSED_BEFORE_IT_IS_WRITTEN) {
            words[mine + SEEN] = words[CLOSED];
            return go(WRITE_END, "reads closed before its end: " + words[CLOSED]);
        }
        words[mine + RUNS] = 0;
        words[mine + SEEN] = 1;
        return go(READ_CLOSED_AT_END, "has ended");
    }

    /** Where it goes on after it has told the pause; SEEN says that its body has run. */
    private int told() {
        return words[mine + SEEN] == 0 ? PARK : GONE;
    }

    private String strike() {
        int number = words[mine + GO];
        boolean struck = (words[model.blockersWord(number)] & bit) != 0;
        words[model.blockersWord(number)] &= ~bit;
        if (!struck) {
            words[mine + GO] = 0;
        }
        return go(struck ? HOLD : told(), "strikes itself off pause " + number + ": " + struck);
    }

    private @Nullable String hold() {
        if (words[LOCK] != 0) {
            return null;
        }
        model.holdIfDrained(words, words[mine + GO], variant == Variant.WAKE_UP_TRUSTED);
        words[mine + GO] = 0;
        return go(told(), "has the pause held if it was the last");
    }

    private @Nullable String parking() {
        switch (words[mine + AT]) {
            case PARK -> {
                words[WAITING] |= bit;
                boolean once = variant == Variant.PARKED_WITHOUT_A_SECOND_LOOK;
                return go(once ? PARKED : LOOK_AGAIN, "joins those who wait");
            }
            case LOOK_AGAIN -> {
                return go(words[CLOSED] == 0 ? UNPARK : PARKED, "looks again: " + words[CLOSED]);
            }
            case UNPARK -> {
                boolean taken = (words[WAITING] & bit) == 0;
                words[WAITING] &= ~bit;
                boolean waits = taken && variant != Variant.STARTED_BY_WHOEVER_SEES_IT_PARKED;
                words[STARTED_TWICE] |= taken && !waits ? 1 : 0;
                return go(waits ? PARKED : START, "tries again, unless it is taken: " + taken);
            }
            case PARKED -> {
                return words[mine + GO] == 0 ? null : go(START, "is started again");
            }
            default -> {
                return null;
            }
        }
    }
}
