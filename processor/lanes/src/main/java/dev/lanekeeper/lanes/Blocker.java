package dev.lanekeeper.lanes;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Something that holds a lane, or several.
 *
 * @param keys whose lanes
 * @param age for how long, since its last start; for a hold that a thread waited for, in lanes without a timeout, since a view
 *     or a pause first saw it
 * @param thread the name of the thread it is on; empty for a hold, and for asynchronous work that has returned
 * @param <K> the key of the lanes
 */
public record Blocker<K>(List<K> keys, Duration age, Optional<String> thread) {
    static <K> List<Blocker<K>> of(Collection<Ticket<K>> tickets, long now) {
        return tickets.stream()
                .filter(Ticket::holding)
                .distinct()
                .map(ticket -> of(ticket, now))
                .sorted(Comparator.comparing(Blocker<K>::age).reversed())
                .toList();
    }

    static <K> Blocker<K> of(Ticket<K> ticket, long now) {
        Thread runner = ticket.runner();
        return new Blocker<>(
                ticket.standing().keys(),
                Duration.ofNanos(Math.max(0, now - ticket.startedNanos())),
                Optional.ofNullable(runner).map(Thread::getName));
    }

    String label() {
        return keys.size() == 1 ? String.valueOf(keys.get(0)) : keys.toString();
    }

    @Override
    public String toString() {
        return label() + " for " + age.toMillis() + " ms"
                + thread.map(name -> " on thread " + name).orElse("");
    }
}
