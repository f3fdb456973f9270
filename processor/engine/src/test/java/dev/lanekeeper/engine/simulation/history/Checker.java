package dev.lanekeeper.engine.simulation.history;

import dev.lanekeeper.engine.simulation.history.Facts.Log;
import dev.lanekeeper.engine.simulation.history.Facts.Run;
import dev.lanekeeper.engine.simulation.history.Facts.Tenure;
import dev.lanekeeper.engine.simulation.history.Violation.Check;
import java.time.Duration;
import java.util.List;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/** Holds each event against what was the case before it. Stateless but for its settings. */
final class Checker {
    private final long drainNanos;
    private final int maxAttempts;
    private final long fenceNanos;
    private final boolean exactlyOnce;

    Checker(Duration drainTimeout, int maxAttempts, Duration fencedAfter, boolean exactlyOnce) {
        this.drainNanos = drainTimeout.toNanos();
        this.maxAttempts = maxAttempts;
        this.fenceNanos = fencedAfter.toNanos();
        this.exactlyOnce = exactlyOnce;
    }

    /** The first promise that {@code event} breaks. */
    @Nullable
    Violation check(Event event, Facts facts) {
        return switch (event.kind()) {
            case START -> start(event, facts);
            case REVOKED -> revoked(event, facts);
            case ACK, DLQ -> acknowledged(event, facts);
            case COMMIT -> commit(event, facts);
            case PAUSED -> paused(event, facts);
            case BULK_HOLDS -> bulkHolds(event, facts);
            case BULK_ENDED -> bulkEnded(event, facts);
            case CLOSED -> closed(event, facts);
            case OUTPUT -> output(event, facts);
            case SETTLED -> settled(event, facts);
            case QUIET -> quiet(event);
            case FINISH -> finish(event, facts);
            case STALL -> new Violation(Check.C9_TERMINATION, "not at its end: " + facts.unfinished());
            default -> null;
        };
    }

    private @Nullable Violation start(Event start, Facts facts) {
        Violation found = exclusion(start, facts);
        if (found == null) {
            found = alone(start, facts);
        }
        if (found == null) {
            found = order(start, facts);
        }
        return found != null ? found : repetition(start, facts);
    }

    private @Nullable Violation exclusion(Event start, Facts facts) {
        Tenure tenure = facts.tenure(start.instance(), start.partition());
        boolean zombie = tenure != null && tenure.expelled;
        for (Run run : facts.open()) {
            if (run.message.key().equals(start.requireMessage().key())
                    && !givenUp(run, start)
                    && !facts.batches().together(start, run.message)) {
                if (run.instance.equals(start.instance()) || !(run.excused || zombie)) {
                    return new Violation(Check.C1_EXCLUSION, start + " while there runs " + run);
                }
            }
        }
        return null;
    }

    private boolean tried(Message message, Event now, Facts facts) {
        return facts.tried(message)
                || facts.open().stream().anyMatch(run -> run.message.equals(message) && givenUp(run, now));
    }

    /** Whether the attempt may have been ended by then because it took too long: nobody waits for its handler any more. */
    private boolean givenUp(Run run, Event event) {
        return event.nanos() - run.sinceNanos >= fenceNanos;
    }

    private static @Nullable Violation alone(Event start, Facts facts) {
        if (facts.exclusives().stopped(start.instance())) {
            return new Violation(Check.C6_PAUSE, start + " while a pause is held");
        }
        String bulk = facts.exclusives()
                .holder(start.instance(), start.requireMessage().key());
        return bulk == null ? null : new Violation(Check.C7_BULK, start + " inside " + bulk);
    }

    private @Nullable Violation paused(Event event, Facts facts) {
        for (Run run : facts.open()) {
            if (run.instance.equals(event.instance()) && !givenUp(run, event)) {
                return new Violation(Check.C6_PAUSE, event + " while there runs " + run);
            }
        }
        if (event.detail() == 0 && facts.exclusives().anyBulkRuns(event.instance())) {
            return new Violation(Check.C6_PAUSE, event + " while there runs a bulk");
        }
        return event.detail() == 0 && facts.exclusives().paused(event.instance())
                ? new Violation(Check.C6_PAUSE, event + " while another pause is held")
                : null;
    }

    private @Nullable Violation bulkHolds(Event event, Facts facts) {
        Message part = event.requireMessage();
        if (facts.exclusives().paused(event.instance())) {
            return new Violation(Check.C6_PAUSE, event + " while a pause is held");
        }
        String other = facts.exclusives().holder(event.instance(), part.key());
        if (other != null) {
            return new Violation(Check.C7_BULK, event + " inside " + other);
        }
        for (Run run : facts.open()) {
            if (run.instance.equals(event.instance()) && run.message.key().equals(part.key()) && !givenUp(run, event)) {
                return new Violation(Check.C7_BULK, event + " while there runs " + run);
            }
        }
        return null;
    }

    private static @Nullable Violation bulkEnded(Event event, Facts facts) {
        return facts.exclusives().pending(event.requireMessage().id())
                ? null
                : new Violation(Check.C7_BULK, event + " for the second time");
    }

    private static @Nullable Violation closed(Event event, Facts facts) {
        return facts.exclusives().anyPending(event.instance())
                ? new Violation(Check.C7_BULK, event + " without the outcome of a bulk")
                : null;
    }

    private @Nullable Violation order(Event start, Facts facts) {
        Message message = start.requireMessage();
        NavigableMap<Long, Message> log = facts.log(start.partition()).messages;
        if (!message.equals(log.get(message.offset()))) {
            return null; // it was truncated away, which the instance has not heard of
        }
        for (Message earlier : log.headMap(message.offset(), false).values()) {
            boolean ended = facts.batches().together(start, earlier)
                    || (exactlyOnce ? tried(earlier, start, facts) : facts.durable(earlier));
            if (earlier.key().equals(message.key()) && !ended) {
                return new Violation(Check.C2_ORDER, start + " before the end of " + earlier);
            }
        }
        return null;
    }

    /** Nothing is sent because of a record while one before it, of the same batch say, still has something to send. */
    private @Nullable Violation acknowledged(Event event, Facts facts) {
        Message message = event.requireMessage();
        NavigableMap<Long, Message> log = facts.log(message.partition()).messages;
        if (exactlyOnce || !message.equals(log.get(message.offset()))) {
            return null;
        }
        for (Message earlier : log.headMap(message.offset(), false).values()) {
            if (earlier.key().equals(message.key()) && !facts.durable(earlier)) {
                return new Violation(Check.C2_ORDER, event + " before the end of " + earlier);
            }
        }
        return null;
    }

    private @Nullable Violation repetition(Event start, Facts facts) {
        String id = start.requireMessage().id();
        Tenure tenure = facts.tenure(start.instance(), start.partition());
        if (tenure == null || tenure.epoch != start.epoch()) {
            return repetition(start + ", whose partition is not assigned in that epoch");
        }
        if (tenure.revokingSince <= start.nanos()) {
            return repetition(start + " while its partition is being revoked");
        }
        int last = tenure.attempts.getOrDefault(id, 0);
        boolean again = (tenure.restarted || tenure.unstopped) && start.attempt() == 1;
        if (!again && (start.attempt() != last + 1 || start.attempt() > maxAttempts)) {
            return repetition(start + " after attempt " + last + " of " + maxAttempts);
        }
        if (!again && tenure.succeeded.contains(id) && !facts.batches().mayHaveBeenRefused(start)) {
            return repetition(start + " after its success");
        }
        if (!tenure.restarted && tenure.known.contains(id)) {
            return repetition(start + " although the commit that the partition was assigned with says that it is done");
        }
        if (start.offset() < tenure.position) {
            return repetition(start + " although the partition was assigned from " + tenure.position + " on");
        }
        return null;
    }

    private static Violation repetition(String text) {
        return new Violation(Check.C4_REPETITION, text);
    }

    private @Nullable Violation revoked(Event event, Facts facts) {
        Tenure tenure = facts.tenure(event.instance(), event.partition());
        if (tenure == null || event.nanos() - tenure.revokingSince >= drainNanos) {
            return null;
        }
        for (Run run : facts.open()) {
            if (run.instance.equals(event.instance())
                    && run.message.partition() == event.partition()
                    && !run.excused
                    && !givenUp(run, event)) {
                return new Violation(Check.C1_EXCLUSION, event + " too early, while there runs " + run);
            }
        }
        return null;
    }

    private static @Nullable Violation commit(Event commit, Facts facts) {
        Log log = facts.log(commit.partition());
        long offset = log.effective(commit.offset(), commit.epoch());
        for (Message message : log.messages.headMap(offset, false).values()) {
            if (!facts.durable(message)) {
                return new Violation(Check.C5_COMMIT, commit + " is beyond " + message);
            }
        }
        for (Message message : log.messages.tailMap(offset, true).values()) {
            if (commit.ahead().tells(message) && !facts.durable(message)) {
                return new Violation(Check.C5_COMMIT, commit + " says that it is done: " + message);
            }
        }
        if (offset < log.committed) {
            return new Violation(Check.C5_COMMIT, commit + " goes back from " + log.committed);
        }
        return null;
    }

    private static @Nullable Violation output(Event event, Facts facts) {
        Message message = event.requireMessage();
        if (facts.effects().seen(message)) {
            return new Violation(Check.EXACTLY_ONCE, event + " for the second time");
        }
        return event.attempt() == 0 && !facts.effects().inOrder(message, event.detail())
                ? new Violation(Check.EXACTLY_ONCE, event + " is out of order")
                : null;
    }

    private static @Nullable Violation settled(Event event, Facts facts) {
        for (Message message : facts.effects().fresh()) {
            if (!facts.committed(message)) {
                return new Violation(Check.EXACTLY_ONCE, event + " without the offset of " + message);
            }
        }
        return null;
    }

    private static @Nullable Violation quiet(Event event) {
        return event.detail() == 0 ? null : new Violation(Check.C8_QUIESCENCE, event.toString());
    }

    private static @Nullable Violation finish(Event event, Facts facts) {
        List<Message> unfinished = facts.unfinished();
        if (!unfinished.isEmpty()) {
            return new Violation(Check.C3_COMPLETENESS, "never came to an end: " + unfinished);
        }
        if (event.offset() != event.detail()) {
            return new Violation(
                    Check.C3_COMPLETENESS, event + ": the commit is not at the end, which is " + event.detail());
        }
        return null;
    }
}
