package dev.lanekeeper.engine.simulation.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What readers of committed records have seen. Confined to the simulation's thread. */
final class Effects {
    private record Seen(Message message, long offset) {}

    private final Set<String> ids = new HashSet<>();
    private final Map<String, List<Seen>> byKey = new HashMap<>();

    /** Of the transaction that is being committed. */
    private final List<Message> fresh = new ArrayList<>();

    boolean seen(Message message) {
        return ids.contains(message.id());
    }

    /** Whether an output of {@code message} at {@code offset} is on the right side of all others of its key. */
    boolean inOrder(Message message, long offset) {
        return byKey.getOrDefault(message.key(), List.of()).stream()
                .allMatch(other -> (other.message().offset() < message.offset()) == (other.offset() < offset));
    }

    List<Message> fresh() {
        return fresh;
    }

    void apply(Event event) {
        switch (event.kind()) {
            case OUTPUT -> {
                Message message = event.requireMessage();
                ids.add(message.id());
                fresh.add(message);
                if (event.attempt() == 0) {
                    byKey.computeIfAbsent(message.key(), unused -> new ArrayList<>())
                            .add(new Seen(message, event.detail()));
                }
            }
            case SETTLED -> fresh.clear();
            default -> {}
        }
    }
}
