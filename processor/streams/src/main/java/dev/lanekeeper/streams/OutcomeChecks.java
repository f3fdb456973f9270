package dev.lanekeeper.streams;

import dev.lanekeeper.message.Outcome;
import dev.lanekeeper.streams.Finding.Kind;
import dev.lanekeeper.streams.History.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The checks that need the outcomes alone: repeats, order, owners, overlap. They see them in the order they were
 * appended, so that what they say never depends on how the two topics were read against each other. Confined to its task.
 */
final class OutcomeChecks {
    private final History history;
    private final KeyValueStore<Bytes, byte[]> cursors;
    private final KeyValueStore<Bytes, byte[]> trails;
    private final Duration clockTolerance;
    private final Tally tally;

    OutcomeChecks(
            History history,
            KeyValueStore<Bytes, byte[]> cursors,
            KeyValueStore<Bytes, byte[]> trails,
            Duration clockTolerance,
            Tally tally) {
        this.history = history;
        this.cursors = cursors;
        this.trails = trails;
        this.clockTolerance = clockTolerance;
        this.tally = tally;
    }

    /**
     * What the checks say of one outcome.
     *
     * @param first whether it is the first of its record
     * @param findings what is wrong with it
     */
    record Verdict(boolean first, List<Finding> findings) {}

    Verdict check(Customer customer, Outcome outcome) {
        Origin origin = new Origin(outcome.topic(), outcome.partition(), outcome.offset());
        Run run = new Run(outcome.instance(), outcome.epoch());
        Place place = history.add(customer, origin, run);
        boolean first = place == Place.FIRST;
        List<Finding> findings = new ArrayList<>(0);
        if (!customer.isNamed()) {
            checkRepeat(place, customer, origin, run, findings);
            return new Verdict(first, findings);
        }
        Bytes key = customer.storeKey(origin.topic(), origin.partition());
        Cursor cursor = Cursor.of(cursors.get(key));
        checkOrder(place, cursor, customer, origin, run, findings);
        boolean stale = checkOwner(cursor, customer, origin, run, findings);
        cursor.advance(run, origin.offset());
        cursors.put(key, cursor.bytes());
        checkOverlap(stale, customer, outcome, origin, run, findings);
        return new Verdict(first, findings);
    }

    private void checkOrder(
            Place place, Cursor cursor, Customer customer, Origin origin, Run run, List<Finding> findings) {
        if (place == Place.FIRST) {
            if (cursor.top() >= 0) {
                tally.count(Tally.Item.COMPARISONS);
            }
            if (origin.offset() < cursor.top()) {
                String detail = "first outcome after that of offset " + cursor.top() + " of the same customer";
                findings.add(finding(Kind.REORDER, customer, origin, run, detail));
            }
        } else if (place == Place.REPEAT && origin.offset() < cursor.top(run)) {
            tally.count(Tally.Item.COMPARISONS);
            String detail = "repeated by " + run + " after offset " + cursor.top(run) + " of the same customer";
            findings.add(finding(Kind.REORDER, customer, origin, run, detail));
        } else {
            checkRepeat(place, customer, origin, run, findings);
        }
    }

    private void checkRepeat(Place place, Customer customer, Origin origin, Run run, List<Finding> findings) {
        if (place == Place.FIRST) {
            return;
        }
        tally.count(Tally.Item.COMPARISONS);
        if (place == Place.REPEAT_BY_SAME_RUN) {
            findings.add(finding(Kind.DUPLICATE, customer, origin, run, "a second outcome by " + run));
        } else {
            tally.count(Tally.Item.REDELIVERED);
        }
    }

    private boolean checkOwner(Cursor cursor, Customer customer, Origin origin, Run run, List<Finding> findings) {
        Run owner = cursor.owner();
        if (owner == null) {
            return false;
        }
        tally.count(Tally.Item.COMPARISONS);
        boolean stale = run.epoch() < owner.epoch() && !run.instance().equals(owner.instance());
        if (stale) {
            String detail = "written by " + run + " after an outcome by " + owner + ": the owner had been replaced";
            findings.add(finding(Kind.OVERLAP, customer, origin, run, detail));
        }
        return stale;
    }

    /** Without an attempt nothing ran, and nothing can have overlapped. */
    private void checkOverlap(
            boolean stale, Customer customer, Outcome outcome, Origin origin, Run run, List<Finding> findings) {
        if (outcome.attempt() == 0) {
            return;
        }
        Span span = new Span(outcome.instance(), outcome.startedAt(), outcome.endedAt(), origin);
        Bytes key = customer.storeKey();
        byte[] stored = trails.get(key);
        Trail trail = stored == null ? Trail.EMPTY : Trail.of(stored);
        if (trail.last() != null) {
            tally.count(Tally.Item.COMPARISONS);
        }
        Span broken = trail.brokenInto(span, clockTolerance);
        if (broken != null && !stale) {
            findings.add(finding(Kind.OVERLAP, customer, origin, run, intersection(span, broken)));
        }
        trails.put(key, trail.then(span).bytes());
    }

    private static String intersection(Span span, Span broken) {
        return "ran " + span.startedAt() + " to " + span.endedAt() + " on " + span.instance() + ", while "
                + broken.origin() + " ran " + broken.startedAt() + " to " + broken.endedAt() + " on "
                + broken.instance();
    }

    private static Finding finding(Kind kind, Customer customer, Origin origin, Run run, String detail) {
        return new Finding(
                kind,
                customer.text(),
                origin.topic(),
                origin.partition(),
                origin.offset(),
                run.instance(),
                run.epoch(),
                detail);
    }
}
