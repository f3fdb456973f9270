package dev.lanekeeper.flight;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** One computation under way and those who wait for it. Thread-safe; its lock is never held over foreign code. */
final class Flight<K, V> {
    private enum State {
        WAITING,
        FLYING,
        LANDED,
        GIVEN_UP
    }

    final K key;
    private final SingleFlight<K, V> home;
    private final Set<Flight<K, V>> dependsOn = ConcurrentHashMap.newKeySet();

    /** Guarded by this. */
    private final List<CompletableFuture<V>> passengers = new ArrayList<>(1);

    /** Guarded by this. */
    private State state = State.WAITING;

    Flight(SingleFlight<K, V> home, K key) {
        this.home = home;
        this.key = key;
    }

    /** A future of one's own for the result; {@code null} if this flight has landed or was given up. */
    @Nullable
    CompletableFuture<V> board() {
        CompletableFuture<V> seat = new CompletableFuture<>();
        synchronized (this) {
            if (state == State.LANDED || state == State.GIVEN_UP) {
                return null;
            }
            passengers.add(seat);
        }
        CompletableFuture<V> unused = seat.whenComplete((value, failure) -> leave(seat));
        return seat;
    }

    private void leave(CompletableFuture<V> seat) {
        synchronized (this) {
            if (state == State.LANDED
                    || !passengers.removeIf(each -> each == seat)
                    || !passengers.isEmpty()
                    || state == State.FLYING) {
                return;
            }
            state = State.GIVEN_UP;
        }
        home.giveUp(this);
    }

    /** Called before the computation; {@code false} if nobody wants it any more. */
    synchronized boolean takeOff() {
        if (state != State.WAITING) {
            return false;
        }
        state = State.FLYING;
        return true;
    }

    /** Tells the result, after this flight has been forgotten. */
    @SuppressWarnings("NullAway") // a null value is the result of a computation that returned null
    void land(@Nullable V value, @Nullable Throwable failure) {
        List<CompletableFuture<V>> told;
        synchronized (this) {
            state = State.LANDED;
            told = List.copyOf(passengers);
        }
        for (CompletableFuture<V> seat : told) {
            if (failure == null) {
                seat.complete(value);
            } else {
                seat.completeExceptionally(failure);
            }
        }
    }

    /** Notes that this computation waits for {@code other}; refuses if that one waits for this. */
    void dependOn(Flight<K, V> other) {
        dependsOn.add(other); // before the search: of two that close a circle at once, one sees it at least
        if (other.reaches(this, ConcurrentHashMap.newKeySet())) {
            dependsOn.remove(other);
            throw new IllegalStateException(
                    "the computation of " + key + " asks for " + other.key + ", which waits for " + key);
        }
    }

    private synchronized boolean landed() {
        return state == State.LANDED;
    }

    private boolean reaches(Flight<K, V> target, Set<Flight<K, V>> seen) {
        if (this == target) {
            return true;
        }
        if (landed() || !seen.add(this)) {
            return false; // what has landed waits for nobody, whatever it once asked for
        }
        for (Flight<K, V> next : dependsOn) {
            if (next.reaches(target, seen)) {
                return true;
            }
        }
        return false;
    }
}
