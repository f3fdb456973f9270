package dev.lanekeeper.lanes;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Leaves one lane in the name of a bulk that was given up; a ticket, so that a long line of such is passed without recursion. */
final class Leaver<K> extends Ticket<K> implements Standing<K> {
    private final LaneMap<K> map;
    private final Lane<K> lane;
    private final Place<K> place;

    /** {@code place} heads {@code lane}. */
    Leaver(LaneMap<K> map, Lane<K> lane, Place<K> place) {
        this.map = map;
        this.lane = lane;
        this.place = place;
        standsIn(this);
    }

    @Override
    boolean light() {
        return true;
    }

    @Override
    boolean passesGate() {
        return true;
    }

    @Override
    protected void start() {
        settle();
    }

    @Override
    public LaneMap<K> map() {
        return map;
    }

    @Override
    public void heldBy(Ticket<K> ticket) {
        // the lane knows the place, whose ticket holds nothing
    }

    @Override
    public @Nullable Place<K> leave(Ticket<K> ticket) {
        return lane.release(place);
    }

    @Override
    public int length() {
        return lane.length();
    }

    @Override
    public boolean waitsFor(Thread thread) {
        return lane.waitsFor(thread);
    }

    @Override
    public List<K> keys() {
        return lane.keys();
    }
}
