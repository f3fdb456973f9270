package dev.lanekeeper.flight;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Computes each key once at a time: while one computation of a key is under way, whoever else asks for the key gets its
 * result, or its failure. Different keys are computed in parallel, as far as the executor goes.
 *
 * <p>A result is shared with those who asked before it was there, and then forgotten; a failure too. To keep results, give a
 * map as memory, as the view of a cache that knows when to forget: with Caffeine, {@code SingleFlight.remembering(executor,
 * cache.asMap())}. A {@code null} result is shared but never kept.
 *
 * <p>Each caller has a future of its own; to cancel it takes leave and changes nothing for the others. A computation that
 * has not begun when the last has left is skipped; one that has begun ends, since it can't be taken back.
 *
 * <p>A computation may ask for other keys and wait for them. If that would close a circle, in which each waits for the next,
 * the call that closes it is refused with an {@link IllegalStateException}.
 *
 * <p>Thread-safe. No lock is held while a computation runs.
 *
 * @param <K> the key, by {@code equals} and {@code hashCode}
 * @param <V> the value
 */
public final class SingleFlight<K, V> {
    private final Executor executor;
    private final @Nullable ConcurrentMap<K, V> memory;
    private final ConcurrentHashMap<K, Flight<K, V>> flights = new ConcurrentHashMap<>();

    /** Who computes what, to see circles. */
    private final ConcurrentHashMap<Thread, Flight<K, V>> computing = new ConcurrentHashMap<>();

    private SingleFlight(Executor executor, @Nullable ConcurrentMap<K, V> memory) {
        this.executor = Objects.requireNonNull(executor, "executor");
        this.memory = memory;
    }

    /** Without memory: a value is computed anew for whoever asks after it was there. */
    public static <K, V> SingleFlight<K, V> on(Executor executor) {
        return new SingleFlight<>(executor, null);
    }

    /** With {@code memory}, which is read before and written after each computation; what is in it is never computed. */
    public static <K, V> SingleFlight<K, V> remembering(Executor executor, ConcurrentMap<K, V> memory) {
        return new SingleFlight<>(executor, Objects.requireNonNull(memory, "memory"));
    }

    /**
     * The value of {@code key}, by {@code compute} if nobody is computing it already. The future fails with what {@code
     * compute} throws, or with what the executor throws if it refuses.
     *
     * @throws IllegalStateException if called by a computation that this key waits for
     */
    public CompletableFuture<V> get(K key, Function<? super K, ? extends V> compute) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(compute, "compute");
        V remembered = recall(key);
        if (remembered != null) {
            return CompletableFuture.completedFuture(remembered);
        }
        while (true) {
            Flight<K, V> flight = flights.get(key);
            if (flight == null) {
                Flight<K, V> mine = new Flight<>(this, key);
                // aboard before others can be: if they all left again first, it would be given up
                CompletableFuture<V> seat = Objects.requireNonNull(mine.board(), "a new flight takes passengers");
                flight = flights.putIfAbsent(key, mine);
                if (flight == null) {
                    noteDependency(mine);
                    launch(mine, compute);
                    return seat;
                }
            }
            noteDependency(flight);
            CompletableFuture<V> shared = flight.board();
            if (shared != null) {
                return shared;
            }
            flights.remove(key, flight); // it was given up: help the one who gives it up
        }
    }

    /** Keys whose computation is under way or about to begin. */
    public int underWay() {
        return flights.size();
    }

    private void launch(Flight<K, V> flight, Function<? super K, ? extends V> compute) {
        try {
            V remembered = recall(flight.key); // by a flight that landed after this caller had looked
            if (remembered == null) {
                executor.execute(() -> fly(flight, compute));
            } else {
                flights.remove(flight.key, flight);
                flight.land(remembered, null);
            }
        } catch (RuntimeException | Error refusal) { // of the executor or the memory
            flights.remove(flight.key, flight);
            flight.land(null, refusal);
        }
    }

    private void fly(Flight<K, V> flight, Function<? super K, ? extends V> compute) {
        if (!flight.takeOff()) {
            return; // nobody is left who wants it
        }
        Thread thread = Thread.currentThread();
        Flight<K, V> outer = computing.put(thread, flight); // there is one if the executor runs in the calling thread
        V value = null;
        Throwable failure = null;
        try {
            value = compute.apply(flight.key);
            remember(flight.key, value);
        } catch (Throwable t) { // a computation is foreign code: its failure is the others' too
            failure = t;
        } finally {
            if (outer == null) {
                computing.remove(thread);
            } else {
                computing.put(thread, outer);
            }
        }
        // gone before it is known: whoever sees the result and asks again must not get the old flight
        flights.remove(flight.key, flight);
        flight.land(value, failure);
    }

    void giveUp(Flight<K, V> flight) {
        flights.remove(flight.key, flight);
    }

    private void noteDependency(Flight<K, V> target) {
        Flight<K, V> asking = computing.get(Thread.currentThread());
        if (asking != null) {
            asking.dependOn(target);
        }
    }

    private @Nullable V recall(K key) {
        return memory == null ? null : memory.get(key);
    }

    private void remember(K key, @Nullable V value) {
        if (memory != null && value != null) {
            memory.put(key, value);
        }
    }
}
