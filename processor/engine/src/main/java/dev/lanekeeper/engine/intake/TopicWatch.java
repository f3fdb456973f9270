package dev.lanekeeper.engine.intake;

import dev.lanekeeper.engine.offset.Origin;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Notices that a topic was deleted and made anew while its partitions are owned: the group and the consumer go by names, so
 * neither need say a word. Asks now and then. Confined to the poll thread.
 */
final class TopicWatch {
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final TopicIds ids;
    private final Owned owned;
    private final LongSupplier nanoTime;
    private @Nullable Inquiry asked;
    private long lastNanos;

    TopicWatch(TopicIds ids, Owned owned, LongSupplier nanoTime) {
        this.ids = ids;
        this.owned = owned;
        this.nanoTime = nanoTime;
        this.lastNanos = nanoTime.getAsLong();
    }

    /** Something has happened that would be explained by it: has the next look ask. */
    void suspect() {
        lastNanos = nanoTime.getAsLong() - INTERVAL_NANOS;
    }

    /** Gives {@code madeAnew} each partition that belongs to another topic than it did when it was assigned, and which. */
    void look(BiConsumer<Assignment, Origin> madeAnew) {
        Inquiry inquiry = asked;
        if (inquiry == null) {
            askIfDue();
        } else if (inquiry.over()) {
            asked = null;
            for (Assignment assignment : inquiry.subjects()) {
                Origin origin = assignment.origin();
                Origin now = inquiry.originOf(assignment);
                if (owned.has(assignment) && origin != null && now != null && origin.replacedBy(now)) {
                    madeAnew.accept(assignment, now);
                }
            }
        }
    }

    private void askIfDue() {
        long now = nanoTime.getAsLong();
        if (now - lastNanos < INTERVAL_NANOS) {
            return;
        }
        lastNanos = now;
        List<Assignment> known = owned.all().stream()
                .filter(assignment -> assignment.origin() != null)
                .toList();
        if (!known.isEmpty()) {
            asked = Inquiry.about(known, ids, nanoTime);
        }
    }
}
