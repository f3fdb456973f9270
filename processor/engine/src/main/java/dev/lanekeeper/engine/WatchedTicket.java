package dev.lanekeeper.engine;

import dev.lanekeeper.engine.intake.Assignment;
import dev.lanekeeper.lanes.LanesView;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The part of a record's ticket that says what becomes of it. Written by whoever has the record, read by views, which take
 * what they get: what is written comes before a write to the ticket's state or phase, and is seen soon. Beside them the poll
 * thread asks {@link #leaving}, of a record whose phase it has seen.
 */
abstract class WatchedTicket extends RoutedTicket {
    private boolean headed;
    private long headedNanos;
    private LaneHead.Doing doing = LaneHead.Doing.WAITING;
    private @Nullable Throwable lastFailure;

    /** The last that began. */
    private @Nullable Attempt<?, ?> attempt;

    WatchedTicket(ConsumerRecord<byte[], byte[]> record, Assignment assignment, long sequence, Bytes laneKey) {
        super(record, assignment, sequence, laneKey);
    }

    /** Called at each start. */
    final void heads() {
        if (!headed) {
            headed = true;
            headedNanos = startedNanos();
        }
    }

    final void runs(Attempt<?, ?> attempt) {
        this.attempt = attempt;
        doing = LaneHead.Doing.RUNNING;
    }

    final void does(LaneHead.Doing next) {
        doing = next;
    }

    /** Whether it is on its way out; since {@link #does} was told so in this turn, if it runs. */
    final boolean leaving() {
        return doing == LaneHead.Doing.PUBLISHING;
    }

    /** It will be started again; until then nothing of it goes on. */
    final void waitsFor(LaneHead.Doing what) {
        doing = what;
        standBy();
    }

    final void failed(Throwable cause) {
        lastFailure = cause;
    }

    abstract int attempts();

    private LaneHead.Doing doing() {
        Attempt<?, ?> last = attempt;
        boolean late = doing == LaneHead.Doing.RUNNING && last != null && last.overdue();
        return late ? LaneHead.Doing.OVERDUE : doing;
    }

    final LaneHead head(LanesView.Held<Bytes> place, long now, InstantSource clock) {
        Duration age = Duration.ofNanos(Math.max(0, now - headedNanos));
        return new LaneHead(
                laneKey(),
                assignment().topicPartition(),
                record().offset(),
                clock.instant().minus(age),
                age,
                attempts(),
                doing(),
                Optional.ofNullable(lastFailure),
                place.thread(),
                place.behind());
    }
}
