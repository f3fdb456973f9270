package dev.lanekeeper.lanes;

/** Lines that are lanes. */
public final class LinesOfLanes extends LineCalls {
    private final LaneMap<Integer> map = new LaneMap<>("lines", Runnable::run, () -> 0L, false);

    @Override
    Seat enter() {
        Turn turn = new Turn();
        if (map.enqueue(0, turn)) {
            map.advance(turn);
        }
        return turn;
    }

    /** Started on the spot by whoever finds that it heads its lane. */
    private static final class Turn extends Ticket<Integer> implements Seat {
        private volatile boolean started;

        @Override
        boolean light() {
            return true;
        }

        @Override
        protected void start() {
            started = true;
        }

        @Override
        public boolean heads() {
            return started;
        }

        @Override
        public void leave() {
            settle();
        }
    }
}
