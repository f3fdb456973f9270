package dev.lanekeeper.engine.simulation.history;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which pauses are held and which bulks run, on which instance. Confined to the simulation's thread. */
final class Exclusives {
    private record Place(String instance, String key) {}

    /** Of whom it is only said that nothing delivered is left; by instance, as the others. */
    private final Map<String, Integer> drains = new HashMap<>();

    private final Map<String, Integer> pauses = new HashMap<>();

    /** The bulk that has a key. */
    private final Map<Place, String> holders = new HashMap<>();

    /** Where each bulk was asked for that has no outcome. */
    private final Map<String, String> pending = new HashMap<>();

    /** Whether nothing at all may run. */
    boolean paused(String instance) {
        return pauses.containsKey(instance);
    }

    /** Whether no record may be at work. */
    boolean stopped(String instance) {
        return paused(instance) || drains.containsKey(instance);
    }

    /** The bulk that has {@code key} there. */
    @Nullable
    String holder(String instance, String key) {
        return holders.get(new Place(instance, key));
    }

    boolean anyBulkRuns(String instance) {
        return holders.keySet().stream().anyMatch(place -> place.instance().equals(instance));
    }

    /** Whether a bulk was asked for and has no outcome. */
    boolean pending(String bulk) {
        return pending.containsKey(bulk);
    }

    boolean anyPending(String instance) {
        return pending.containsValue(instance);
    }

    void apply(Event event) {
        switch (event.kind()) {
            case PAUSED -> (event.detail() == 0 ? pauses : drains).merge(event.instance(), 1, Integer::sum);
            case RESUMED ->
                (event.detail() == 0 ? pauses : drains)
                        .computeIfPresent(event.instance(), (instance, count) -> count == 1 ? null : count - 1);
            case BULK_ASKED -> pending.put(event.requireMessage().id(), event.instance());
            case BULK_HOLDS ->
                holders.put(
                        new Place(event.instance(), event.requireMessage().key()),
                        event.requireMessage().id());
            case BULK_FREES ->
                holders.remove(
                        new Place(event.instance(), event.requireMessage().key()));
            case BULK_ENDED -> pending.remove(event.requireMessage().id());
            case DEAD -> {
                pauses.remove(event.instance());
                drains.remove(event.instance());
                holders.keySet().removeIf(place -> place.instance().equals(event.instance()));
                pending.values().removeIf(event.instance()::equals);
            }
            default -> {}
        }
    }
}
