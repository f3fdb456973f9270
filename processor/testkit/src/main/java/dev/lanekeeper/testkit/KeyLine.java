package dev.lanekeeper.testkit;

import dev.lanekeeper.testkit.KeyOrderLedger.Kind;
import dev.lanekeeper.testkit.KeyOrderLedger.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What happened to one key. Thread-safe, guarded by itself. */
final class KeyLine {
    private static final int KEPT = 1_000;

    /**
     * What an ended message amounts to.
     *
     * @param runsOver runs that are over: 1, or 0 if none was known
     * @param comparisons pairs compared
     * @param redelivered permitted repetitions
     */
    record End(int runsOver, int comparisons, int redelivered) {}

    private record Run(long position, String by) {
        @Override
        public String toString() {
            return position + " by " + by;
        }
    }

    /**
     * Where a life has got to.
     *
     * @param position what it took last
     * @param failed whether that is to be taken again
     */
    private record Progress(long position, boolean failed) {}

    private final String key;
    private final NavigableSet<Long> sent = new TreeSet<>();
    private final Set<Long> ended = new HashSet<>();
    private final List<Run> running = new ArrayList<>();
    private final Map<String, Progress> lives = new HashMap<>();
    private final List<Violation> violations = new ArrayList<>();
    private @Nullable Run lastFirstEffect;

    KeyLine(String key) {
        this.key = key;
    }

    synchronized void sent(long position) {
        if (!sent.isEmpty() && position <= sent.last()) {
            throw new IllegalArgumentException(
                    "position of key " + key + " must be above the last one sent, " + sent.last() + ": " + position);
        }
        sent.add(position);
    }

    /** Answers how many pairs were compared. */
    synchronized int started(long position, String by) {
        for (Run other : running) {
            note(Kind.OVERLAP, position, position + " by " + by + " began while " + other + " was running");
        }
        running.add(new Run(position, by));
        Progress before = lives.put(by, new Progress(position, false));
        if (before == null) {
            return 0;
        }
        boolean again = before.failed() && before.position() == position;
        if (position <= before.position() && !again) {
            note(Kind.START_ORDER, position, by + " took " + position + " after it had taken " + before.position());
        }
        return again ? 0 : 1;
    }

    synchronized End ended(long position, String by, boolean redeliveryAllowed) {
        int runsOver = over(position, by);
        if (ended.add(position)) {
            return new End(runsOver, firstEffect(new Run(position, by)), 0);
        }
        if (!redeliveryAllowed) {
            note(Kind.DUPLICATE, position, position + " ended again, by " + by);
        }
        return new End(runsOver, 0, redeliveryAllowed ? 1 : 0);
    }

    private int firstEffect(Run effect) {
        Run before = lastFirstEffect;
        if (before == null) {
            lastFirstEffect = effect;
            return 0;
        }
        if (effect.position() < before.position()) {
            note(Kind.EFFECT_ORDER, effect.position(), effect + " ended only after " + before);
        } else {
            lastFirstEffect = effect; // stays at the furthest, so that one late message is one breach
        }
        return 1;
    }

    synchronized int failed(long position, String by) {
        lives.put(by, new Progress(position, true));
        return over(position, by);
    }

    private int over(long position, String by) {
        if (running.remove(new Run(position, by))) {
            return 1;
        }
        note(Kind.NOT_STARTED, position, by + " was done with " + position + " without having begun it");
        return 0;
    }

    synchronized int lifeEnded(String by) {
        int before = running.size();
        running.removeIf(run -> run.by().equals(by));
        return before - running.size();
    }

    synchronized boolean knowsWhatWasSent() {
        return !sent.isEmpty();
    }

    synchronized boolean isComplete() {
        return ended.containsAll(sent);
    }

    synchronized void addViolations(List<Violation> found) {
        found.addAll(violations);
        for (long position : sent) {
            if (!ended.contains(position)) {
                found.add(new Violation(Kind.LOST, key, position, position + " was sent and never ended" + holders()));
            }
        }
        for (long position : ended) {
            if (!sent.isEmpty() && !sent.contains(position)) {
                found.add(new Violation(Kind.UNKNOWN, key, position, position + " ended and was never sent"));
            }
        }
    }

    private String holders() {
        return running.isEmpty() ? "" : "; still running: " + running;
    }

    private void note(Kind kind, long position, String story) {
        if (violations.size() < KEPT) {
            violations.add(new Violation(kind, key, position, story));
        }
    }
}
