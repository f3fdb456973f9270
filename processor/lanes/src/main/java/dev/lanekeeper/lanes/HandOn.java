package dev.lanekeeper.lanes;

/**
 * Offers a ticket to the executor from a thread that drains its lane, and notices if the executor would run it right
 * there, inside the call: then that thread has it back and goes on with it, or the stack would grow with the line.
 *
 * <p>Its fields are confined to the thread that made it; others only compare themselves with that.
 */
final class HandOn<K> implements Runnable {
    private final Ticket<K> ticket;
    private final Thread offering = Thread.currentThread();
    private boolean offered;
    private boolean backAgain;

    HandOn(Ticket<K> ticket) {
        this.ticket = ticket;
    }

    /** Begins to look out for a {@link #run} within the call that is made next. */
    void begin() {
        offered = true;
    }

    /** Ends it; answers whether it was run there, so that the caller is to start the ticket. */
    boolean end() {
        offered = false;
        return backAgain;
    }

    @Override
    public void run() {
        if (Thread.currentThread() == offering && offered) {
            backAgain = true;
        } else {
            ticket.run();
        }
    }
}
