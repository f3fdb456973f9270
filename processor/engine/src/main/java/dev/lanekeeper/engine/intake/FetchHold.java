package dev.lanekeeper.engine.intake;

import java.util.Collection;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.Consumer;

/**
 * Holds back fetching from all partitions, while the consumer goes on polling and so stays in its group. Confined to the
 * poll thread but for {@link #ask}: what is asked for happens at the next pass.
 */
final class FetchHold {
    private final Consumer<byte[], byte[]> consumer;
    private volatile boolean asked;

    /** What the consumer was told. */
    private boolean on;

    FetchHold(Consumer<byte[], byte[]> consumer) {
        this.consumer = consumer;
    }

    /** Any thread. */
    void ask(boolean held) {
        asked = held;
    }

    /** Whether nothing is fetched, of partitions that come neither: whoever assigns them has to see to it. */
    boolean on() {
        return on;
    }

    /** Tells the consumer if something else was asked for; what is not {@code free} for other reasons stays held back. */
    void apply(Collection<Assignment> active, Predicate<Assignment> free) {
        boolean wanted = asked;
        if (wanted == on) {
            return;
        }
        on = wanted;
        if (wanted) {
            consumer.pause(consumer.assignment());
        } else {
            consumer.resume(
                    active.stream().filter(free).map(Assignment::topicPartition).toList());
        }
    }
}
