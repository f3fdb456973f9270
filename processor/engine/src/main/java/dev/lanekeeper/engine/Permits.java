package dev.lanekeeper.engine;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * How many asynchronous attempts may be under way at once. A record that finds no permit waits here in line without a
 * thread; whoever gives a permit back hands it to the first that still wants it. Thread-safe; the lock is held for a queue
 * operation only.
 */
final class Permits {
    private final Queue<RecordTicket<?, ?>> waiting = new ArrayDeque<>();
    private int free;

    Permits(int count) {
        free = count;
    }

    /** Takes a permit, or puts {@code ticket} in line for {@link RecordTicket#goOn}. */
    synchronized boolean acquire(RecordTicket<?, ?> ticket) {
        if (free > 0) {
            free--;
            return true;
        }
        waiting.add(ticket);
        return false;
    }

    /** Gives a permit back. */
    void release() {
        RecordTicket<?, ?> next = next();
        while (next != null && !next.goOn()) { // dropped while it waited
            next = next();
        }
    }

    /** The next in line, or {@code null} if there is none and the permit is free now. */
    private synchronized @Nullable RecordTicket<?, ?> next() {
        RecordTicket<?, ?> next = waiting.poll();
        if (next == null) {
            free++;
        }
        return next;
    }
}
