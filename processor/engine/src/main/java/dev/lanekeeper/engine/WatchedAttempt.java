package dev.lanekeeper.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the watch over timeouts knows of one attempt. Thread-safe: the handler's thread, the one that ends the attempt and the
 * watch meet here. The lock is held for a field access, and over the interrupt, so that it can't hit the thread's next task.
 */
final class WatchedAttempt {
    private static final int FRAMES = 12;

    private final HandlerWatch watch;
    private final Attempt<?, ?> attempt;
    private final long startedNanos;

    /** The thread inside the handler; guarded by this. */
    private @Nullable Thread runner = Thread.currentThread();

    /** Guarded by this. */
    private boolean interrupted;

    /** Guarded by this; {@code null} until there are any, and once they were taken. */
    private @Nullable List<Runnable> actions;

    private volatile boolean overdue;
    private volatile boolean returned;
    private volatile boolean ended;

    WatchedAttempt(HandlerWatch watch, Attempt<?, ?> attempt, long startedNanos) {
        this.watch = watch;
        this.attempt = attempt;
        this.startedNanos = startedNanos;
    }

    Attempt<?, ?> attempt() {
        return attempt;
    }

    long startedNanos() {
        return startedNanos;
    }

    boolean overdue() {
        return overdue;
    }

    /** {@code true} for the first caller only, of which there is one: the watch. */
    synchronized boolean beOverdue() {
        boolean first = !overdue;
        overdue = true;
        return first;
    }

    /** Called by the handler's thread, before anything else is done there. */
    void offThread() {
        boolean wasInterrupted;
        synchronized (this) {
            runner = null;
            wasInterrupted = interrupted;
        }
        if (wasInterrupted) {
            Thread.interrupted(); // it was meant for the handler
        }
    }

    /** Called by the handler's thread, when nothing of the attempt is on it any more. */
    void handlerReturned() {
        returned = true;
        if (ended) { // whoever comes second sees the other's word
            watch.forget(this);
        }
    }

    /** Called by whoever ended the attempt. */
    void attemptEnded() {
        ended = true;
        if (returned) {
            watch.forget(this);
        }
    }

    /** Called on the handler's thread once the stage is observed. */
    void stageObserved() {
        if (overdue) {
            watch.fence(this);
        }
    }

    boolean mayBeFenced() {
        return overdue && returned && !ended;
    }

    synchronized void interrupt() {
        if (runner != null) {
            interrupted = true;
            runner.interrupt();
        }
    }

    void onCancel(Runnable action) {
        synchronized (this) {
            if (!overdue) {
                if (actions == null) {
                    actions = new ArrayList<>(1);
                }
                actions.add(action);
                return;
            }
        }
        watch.runElsewhere(action);
    }

    synchronized List<Runnable> takeActions() {
        List<Runnable> taken = actions == null ? List.of() : actions;
        actions = null;
        return taken;
    }

    /** Where the attempt is, in words. */
    String whereabouts() {
        Thread thread;
        synchronized (this) {
            thread = runner;
        }
        if (thread == null) {
            return "its handler has returned, its stage is not complete";
        }
        StringBuilder text = new StringBuilder("on thread ").append(thread.getName());
        StackTraceElement[] stack = thread.getStackTrace();
        for (int i = 0; i < Math.min(FRAMES, stack.length); i++) {
            text.append(System.lineSeparator()).append("    at ").append(stack[i]);
        }
        return text.toString();
    }
}
