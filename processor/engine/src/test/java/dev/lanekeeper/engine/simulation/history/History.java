package dev.lanekeeper.engine.simulation.history;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All events of a simulation, each checked as it comes. The first violation is kept and nothing is thrown, since whoever
 * reports may be called by code that catches everything. Confined to the simulation's thread.
 */
public final class History {
    private final List<Event> events = new ArrayList<>();
    private final Facts facts;
    private final Checker checker;
    private @Nullable Violation violation;

    /**
     * Of engines that wait so long for what runs, try so often, and give an attempt up that takes so long.
     *
     * @param exactlyOnce whether they commit outputs and offsets in transactions
     */
    public History(Duration drainTimeout, int maxAttempts, Duration fencedAfter, boolean exactlyOnce) {
        this.facts = new Facts(exactlyOnce);
        this.checker = new Checker(drainTimeout, maxAttempts, fencedAfter, exactlyOnce);
    }

    /** Notes what happened. */
    public void add(Event event) {
        if (violation != null) {
            return; // what follows only hides it
        }
        events.add(event);
        violation = checker.check(event, facts);
        facts.apply(event);
    }

    /** Notes that something threw where nothing may. */
    public void uncaught(Throwable thrown) {
        if (violation == null) {
            String at = thrown.getStackTrace().length == 0 ? "" : " at " + thrown.getStackTrace()[0];
            violation = new Violation(Violation.Check.UNCAUGHT, thrown + at);
        }
    }

    /** The first promise that was broken. */
    public @Nullable Violation violation() {
        return violation;
    }

    public List<Event> events() {
        return events;
    }

    /** The last events, a line each. */
    public String tail(int most) {
        return events.subList(Math.max(0, events.size() - most), events.size()).stream()
                .map(Event::toString)
                .collect(Collectors.joining("\n"));
    }
}
