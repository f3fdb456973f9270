package dev.lanekeeper.flight;

/** What single flight with a memory is, said for one thread. */
public final class FlightsByOneThread implements FlightCalls {
    private int computations;

    @Override
    public int get() {
        if (computations == 0) {
            computations++;
        }
        return computations;
    }

    @Override
    public boolean leave() {
        return computations == 0;
    }
}
