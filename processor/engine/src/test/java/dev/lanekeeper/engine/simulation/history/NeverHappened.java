package dev.lanekeeper.engine.simulation.history;

import dev.lanekeeper.engine.simulation.history.Event.Kind;
import dev.lanekeeper.engine.simulation.history.Violation.Check;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes a history that never happened, of two customers and mostly one instance. */
abstract class NeverHappened {
    static final Message FIRST = new Message("1", "c1", 0, 0, 0);
    static final Message SECOND = new Message("2", "c1", 0, 1, 0);
    static final Message OTHER = new Message("3", "c2", 0, 2, 0);

    History history = history(false);
    long now;

    final void emit(Message message) {
        at("a", Kind.START, message, 1);
        event(Kind.END, "a", message, 1, 1, 1);
    }

    final void output(Message message, long offset) {
        event(Kind.OUTPUT, "a", message, 0, 0, offset);
    }

    static History history(boolean exactlyOnce) {
        return new History(Duration.ofNanos(100), 3, Duration.ofNanos(1_000), exactlyOnce);
    }

    final void begin() {
        for (Message message : new Message[] {FIRST, SECOND, OTHER}) {
            event(Kind.SUBMIT, "", message, 0, 0, 0);
        }
        assign("a", 0, 1);
    }

    final void assign(String instance, long position, int epoch) {
        history.add(Event.of(now++, Kind.ASSIGN, instance, 0, position, epoch, 0));
    }

    final void run(Message message, int attempt) {
        at("a", Kind.START, message, attempt);
        at("a", Kind.END, message, attempt);
    }

    final void at(String instance, Kind kind, Message message, int attempt) {
        event(kind, instance, message, 1, attempt, 0);
    }

    final void event(Kind kind, String instance, Message message, int epoch, int attempt, long detail) {
        history.add(Event.of(now++, kind, instance, message, epoch, attempt, detail));
    }

    final void place(Kind kind, String instance, int partition, long offset) {
        history.add(Event.of(now++, kind, instance, partition, offset, 1, 0));
    }

    final void pause(Kind kind, long detail) {
        history.add(Event.of(now++, kind, "a", -1, 0, 0, detail));
    }

    final void bulk(Kind kind, String key) {
        event(kind, "a", new Message("bulk", key, -1, 0, 0), 0, 0, 0);
    }

    final void commit(long offset, Long... ahead) {
        history.add(Event.commit(now++, "a", 0, offset, 0, new Ahead(List.of(ahead), 0)));
    }

    final void finish(long committed, long end) {
        history.add(Event.of(now++, Kind.FINISH, "", 0, committed, 0, end));
    }

    final @Nullable Check found() {
        Violation violation = history.violation();
        return violation == null ? null : violation.check();
    }
}
