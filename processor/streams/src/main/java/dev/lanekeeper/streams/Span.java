package dev.lanekeeper.streams;

import java.time.Duration;
import java.time.Instant;

/** When a customer's record ran, and where. */
record Span(String instance, Instant startedAt, Instant endedAt, Origin origin) {
    /**
     * Whether a run that follows breaks into this one. On one instance there is one clock, and the later outcome must
     * start no earlier than the former ended; between two, only an intersection longer than {@code tolerance} is proof.
     */
    boolean overlaps(Span later, Duration tolerance) {
        if (instance.equals(later.instance)) {
            return later.startedAt.isBefore(endedAt);
        }
        Instant from = startedAt.isAfter(later.startedAt) ? startedAt : later.startedAt;
        Instant to = endedAt.isBefore(later.endedAt) ? endedAt : later.endedAt;
        return Duration.between(from, to).compareTo(tolerance) > 0;
    }

    void write(StateWriter writer) {
        writer.put(instance)
                .put(startedAt)
                .put(endedAt)
                .put(origin.topic())
                .put(origin.partition())
                .put(origin.offset());
    }

    static Span read(StateReader reader) {
        return new Span(
                reader.text(),
                reader.instant(),
                reader.instant(),
                new Origin(reader.text(), reader.number(), reader.longNumber()));
    }
}
