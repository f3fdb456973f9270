package dev.lanekeeper.engine.intake;

import dev.lanekeeper.engine.offset.Origin;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Tells topics from others that had their name before them. Asked on the poll thread: it must not block. */
@FunctionalInterface
public interface TopicIds {
    /** Knows none. */
    TopicIds UNKNOWN = topics -> CompletableFuture.completedFuture(Map.of());

    /** What these topics are at a moment after the call, as far as that is known. Completes on any thread. */
    CompletableFuture<Map<String, Origin>> of(Set<String> topics);
}
