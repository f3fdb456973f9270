package dev.lanekeeper.flight;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;

/** A memory that is looked up and then filled. Must be found. */
public final class FaultyFlights implements FlightCalls {
    private final AtomicInteger computations = new AtomicInteger();
    private final ConcurrentMap<Integer, Integer> memory = new ConcurrentHashMap<>();

    @Override
    @Operation
    public int get() {
        Integer remembered = memory.get(0);
        if (remembered != null) {
            return remembered;
        }
        int computed = computations.incrementAndGet();
        memory.put(0, computed);
        return computed;
    }

    @Override
    @Operation
    public boolean leave() {
        return memory.get(0) == null;
    }
}
