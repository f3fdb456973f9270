package dev.lanekeeper.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where records wait for a door to open, each at the head of its lane and none with a thread. Opened once. Thread-safe; the
 * lock is held for a list operation only.
 */
final class WaitingRoom {
    /** {@code null} once the door is open. */
    private @Nullable List<RecordTicket<?, ?>> waiting = new ArrayList<>();

    /**
     * Called by a record inside its start, which then returns: it is started again when the door opens.
     *
     * @return {@code false} if the door is open
     */
    synchronized boolean enter(RecordTicket<?, ?> ticket) {
        if (waiting == null) {
            return false;
        }
        waiting.add(ticket);
        return true;
    }

    /** Has all start again that wait; those that were dropped meanwhile take no notice. */
    void open() {
        for (RecordTicket<?, ?> ticket : leaving()) {
            ticket.goOn();
        }
    }

    private synchronized List<RecordTicket<?, ?>> leaving() {
        List<RecordTicket<?, ?>> leaving = waiting == null ? List.of() : waiting;
        waiting = null;
        return leaving;
    }
}
