package dev.lanekeeper.engine;

import dev.lanekeeper.engine.handler.FinalResult;
import dev.lanekeeper.engine.intake.Assignment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Partitions that a failed record has stopped: nothing of them starts, and nothing is fetched, until somebody has them
 * resumed. A stop ends with its assignment. Thread-safe; no foreign code and no logging under the lock.
 */
final class Stops {
    private static final Logger log = LoggerFactory.getLogger(Stops.class);

    /** Guarded by this. */
    private final Map<TopicPartition, Stop> stops = new HashMap<>();

    /** Whether there are any, for those who start records. */
    private volatile boolean any;

    private record Stop(
            RecordTicket<?, ?> first,
            FinalResult.Failure failure,
            Instant since,
            Assignment assignment,
            WaitingRoom room) {}

    /** Stops the partition of {@code ticket}, which waits from now on with all others; its lane is held, its thread free. */
    void stop(RecordTicket<?, ?> ticket, FinalResult.Failure failure, Instant now) {
        WaitingRoom room = new WaitingRoom();
        room.enter(ticket);
        Stop stop = new Stop(ticket, failure, now, ticket.assignment(), room);
        Stop before = put(stop);
        if (before == null) {
            log.error(
                    "{} is stopped at {}, which failed for good, until it is resumed or assigned again: {}",
                    ticket.assignment(),
                    ticket,
                    Complaints.text(failure.cause()));
        } else if (!before.room().enter(ticket)) { // resumed just now
            ticket.goOn();
        }
    }

    /** The stop that is in force, or {@code null} if there was none and this one is. */
    private synchronized @Nullable Stop put(Stop stop) {
        stops.values().removeIf(old -> old.assignment().revoked());
        Stop before = stops.putIfAbsent(stop.assignment().topicPartition(), stop);
        if (before != null && before.assignment() == stop.assignment()) {
            return before;
        }
        stops.put(stop.assignment().topicPartition(), stop);
        stop.assignment().halt(true);
        any = true;
        return null;
    }

    /** Called by a record inside its start: whether its partition is stopped, so that it waits and is started again. */
    boolean hold(RecordTicket<?, ?> ticket) {
        if (!any) {
            return false;
        }
        Stop stop = of(ticket.assignment().topicPartition());
        return stop != null
                && stop.assignment() == ticket.assignment()
                && stop.room().enter(ticket);
    }

    private synchronized @Nullable Stop of(TopicPartition partition) {
        Stop stop = stops.get(partition);
        if (stop != null && stop.assignment().revoked()) { // over, and with it what those who waited keep in memory
            stops.remove(partition);
            any = !stops.isEmpty();
            return null;
        }
        return stop;
    }

    /**
     * Ends a stop.
     *
     * @param skip whether the record that caused it is dead-lettered instead of being tried anew
     * @return {@code false} if the partition is not stopped
     */
    boolean resume(TopicPartition partition, boolean skip) {
        Stop stop = take(partition);
        if (stop == null) {
            return false;
        }
        if (skip) {
            stop.first().giveUp(stop.failure());
        }
        log.info("{} is resumed{}", stop.assignment(), skip ? ", without " + stop.first() : "");
        stop.room().open();
        return true;
    }

    private synchronized @Nullable Stop take(TopicPartition partition) {
        Stop stop = stops.remove(partition);
        any = !stops.isEmpty();
        if (stop == null || stop.assignment().revoked()) {
            return null;
        }
        stop.assignment().halt(false);
        return stop;
    }

    /** Those in force. */
    List<EngineView.StoppedPartition> view() {
        List<EngineView.StoppedPartition> view = new ArrayList<>();
        for (Stop stop : inForce()) {
            view.add(new EngineView.StoppedPartition(
                    stop.assignment().topicPartition(),
                    stop.first().record().offset(),
                    Complaints.text(stop.failure().cause()),
                    stop.since()));
        }
        return view;
    }

    private synchronized List<Stop> inForce() {
        return stops.values().stream()
                .filter(stop -> !stop.assignment().revoked())
                .toList();
    }
}
