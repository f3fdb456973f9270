package dev.lanekeeper.lanes;

import java.util.ArrayDeque;

/** What lines are, said for one thread. */
public final class LinesByOneThread extends LineCalls {
    private final ArrayDeque<Seat> line = new ArrayDeque<>();

    @Override
    Seat enter() {
        Seat seat = new Seat() {
            @Override
            public boolean heads() {
                return line.peek() == this;
            }

            @Override
            public void leave() {
                line.remove();
            }
        };
        line.add(seat);
        return seat;
    }
}
