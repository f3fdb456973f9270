package dev.lanekeeper.lanes;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a ticket stands in line: in one lane, or aligned over several. */
interface Standing<K> {
    /** The lanes it is part of. */
    LaneMap<K> map();

    /** Marks {@code ticket} as the holder, before it starts. */
    void heldBy(Ticket<K> ticket);

    /**
     * Gives up the place or places of a ticket that has ended.
     *
     * @return a place that heads its lane now, to be seen to by the caller
     */
    @Nullable
    Place<K> leave(Ticket<K> ticket);

    /** Tickets in line, those that hold it included; where there are several lines, in the longest. */
    int length();

    /** Whether {@code thread} is inside a task that this one has to wait for. */
    boolean waitsFor(Thread thread);

    /** Its key or keys. */
    List<K> keys();

    /** The same for messages. */
    default String label() {
        List<K> keys = keys();
        return keys.size() == 1 ? String.valueOf(keys.get(0)) : keys.toString();
    }
}
