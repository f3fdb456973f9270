package dev.lanekeeper.flight;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;

/** The real ones. Whoever waits does what has been submitted. */
public final class FlightsAsBuilt implements FlightCalls {
    private final AtomicInteger computations = new AtomicInteger();
    private final Queue<Runnable> submitted = new ConcurrentLinkedQueue<>();
    private final SingleFlight<Integer, Integer> flights =
            SingleFlight.remembering(submitted::add, new ConcurrentHashMap<>());

    private CompletableFuture<Integer> ask() {
        return flights.get(0, key -> computations.incrementAndGet());
    }

    @Override
    @Operation
    public int get() {
        CompletableFuture<Integer> result = ask();
        while (!result.isDone()) {
            Runnable work = submitted.poll();
            if (work != null) {
                work.run();
            }
            Thread.onSpinWait();
        }
        return result.getNow(0);
    }

    @Override
    @Operation
    public boolean leave() {
        return ask().cancel(false);
    }
}
