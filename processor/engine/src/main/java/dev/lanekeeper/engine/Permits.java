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
    private int count;

    /** Negative while more are out than there should be. */
    private int free;

    Permits(int count) {
        this.count = count;
        free = count;
    }

    /** From now on there are so many. Who waits may get one at once; who has one too many just gives it back. */
    void resize(int next) {
        synchronized (this) {
            free += next - count;
            count = next;
        }
        handOut();
    }

    /** Takes a permit, or puts {@code ticket} in line for {@link RecordTicket#goOn}. */
    synchronized boolean acquire(RecordTicket<?, ?> ticket) {
        if (free > 0 && waiting.isEmpty()) {
            free--;
            return true;
        }
        waiting.add(ticket);
        return false;
    }

    /** Gives a permit back. */
    void release() {
        giveBack();
        handOut();
    }

    private void handOut() {
        for (RecordTicket<?, ?> next = next(); next != null; next = next()) {
            if (!next.goOn()) { // dropped while it waited
                giveBack();
            }
        }
    }

    private synchronized void giveBack() {
        free++;
    }

    /** The next in line, with a permit; {@code null} if there is none of one or the other. */
    private synchronized @Nullable RecordTicket<?, ?> next() {
        RecordTicket<?, ?> next = free > 0 ? waiting.poll() : null;
        if (next != null) {
            free--;
        }
        return next;
    }
}
