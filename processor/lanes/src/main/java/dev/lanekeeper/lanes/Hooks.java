package dev.lanekeeper.lanes;

/** Calls what those who extend {@link Ticket} have written, so that whatever it throws leaves no step undone. Stateless. */
final class Hooks {
    private Hooks() {}

    /** If it can't say, the ticket starts. */
    static boolean cancelled(Ticket<?> ticket) {
        try {
            return ticket.cancelled();
        } catch (Throwable t) {
            report(t);
            return false;
        }
    }

    /** If it can't say, it may. */
    static boolean tellsOthers(Ticket<?> ticket) {
        try {
            return ticket.tellsOthers();
        } catch (Throwable t) {
            report(t);
            return true;
        }
    }

    static void released(Ticket<?> ticket) {
        try {
            ticket.released();
        } catch (Throwable t) {
            report(t);
        }
    }

    static void rejected(Ticket<?> ticket, Throwable cause) {
        try {
            ticket.rejected(cause);
        } catch (Throwable t) {
            report(t);
        }
    }

    /** Tells the handler of uncaught exceptions; if even that throws, nobody is left to be told. */
    static void report(Throwable thrown) {
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        } catch (Throwable unheard) {
            thrown.addSuppressed(unheard);
        }
    }
}
