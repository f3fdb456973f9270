package dev.lanekeeper.lanes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** A link in the line of one lane; see {@link Lane} for the argument. Thread-safe. */
abstract class Place<K> {
    private static final VarHandle NEXT;
    private static final Place<?> RELEASED = new Released();

    static {
        try {
            NEXT = MethodHandles.lookup().findVarHandle(Place.class, "next", Place.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The successor, or {@link #RELEASED}, which also cuts the chain of old places for the collector. */
    @SuppressWarnings("unused") // through NEXT
    private volatile @Nullable Place<?> next;

    /**
     * Called once, when this place heads its lane, on whatever thread. Runs no foreign code.
     *
     * @return the ticket that can be started now, or {@code null} if it has to head other lanes too
     */
    abstract @Nullable Ticket<K> atHead();

    /** Whose place this is. */
    abstract Ticket<K> ticket();

    /** Makes {@code successor} next; {@code false} if this place was released before. */
    final boolean linkTo(Place<K> successor) {
        return NEXT.compareAndSet(this, null, successor);
    }

    /** Closes this place for successors; returns the one that it has. */
    @SuppressWarnings("unchecked") // linkTo admits places of the same lane only
    final @Nullable Place<K> unlink() {
        return (Place<K>) NEXT.getAndSet(this, RELEASED);
    }

    /** The ticket that is linked behind this place; {@code null} if there is none, or if it stands in other lanes too. */
    @SuppressWarnings("unchecked") // as above; the place of a bulk is no ticket, the mark of a released place neither
    final @Nullable Ticket<K> ticketBehind() {
        return next instanceof Ticket<?> ticket ? (Ticket<K>) ticket : null;
    }

    private static final class Released extends Place<Void> {
        @Override
        Ticket<Void> atHead() {
            throw new AssertionError("the mark of a released place is never in line");
        }

        @Override
        Ticket<Void> ticket() {
            throw new AssertionError("the mark of a released place is never in line");
        }
    }
}
