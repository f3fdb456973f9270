package dev.lanekeeper.lanes;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/** What lines are, said for one thread. */
public final class LinesByOneThread extends LineCalls {
    private final Map<Integer, ArrayDeque<Seat>> lines = new HashMap<>();

    @Override
    Seat enter(int key) {
        ArrayDeque<Seat> line = lines.computeIfAbsent(key, name -> new ArrayDeque<>());
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
