package dev.lanekeeper.streams;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The runs of one customer, as far as the next must be held against them: the last, and the one that ended latest. The
 * second matters when a short run follows within a long one, the first when the latest end was read off another clock.
 * Immutable.
 */
record Trail(@Nullable Span last, @Nullable Span latest) {
    static final Trail EMPTY = new Trail(null, null);

    /** The run that {@code next} breaks into; {@code null} if none. */
    @Nullable
    Span brokenInto(Span next, Duration tolerance) {
        if (last != null && last.overlaps(next, tolerance)) {
            return last;
        }
        return latest != null && latest.overlaps(next, tolerance) ? latest : null;
    }

    Trail then(Span next) {
        boolean endsLatest = latest == null || !next.endedAt().isBefore(latest.endedAt());
        return new Trail(next, endsLatest ? next : latest);
    }

    byte[] bytes() {
        StateWriter writer = new StateWriter();
        if (last != null && latest != null) {
            last.write(writer);
            if (!latest.equals(last)) {
                latest.write(writer);
            }
        }
        return writer.bytes();
    }

    static Trail of(byte[] bytes) {
        if (bytes.length == 0) {
            return EMPTY;
        }
        StateReader reader = new StateReader(bytes);
        Span last = Span.read(reader);
        return new Trail(last, reader.hasMore() ? Span.read(reader) : last);
    }
}
