package dev.lanekeeper.simulator.progress;

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.LongSupplier;

/** A plain line every few seconds, and one at the end; nothing in between. */
final class LineProgress implements Progress {
    static final long EVERY_NANOS = 5_000_000_000L;

    private final String task;
    private final long total;
    private final PrintStream out;
    private final LongSupplier nanoTime;
    private long lastNanos;
    private long done;
    private long shown = -1;

    LineProgress(String task, long total, PrintStream out, LongSupplier nanoTime) {
        this.task = task;
        this.total = total;
        this.out = out;
        this.nanoTime = nanoTime;
        this.lastNanos = nanoTime.getAsLong();
    }

    @Override
    public void stepTo(long done) {
        this.done = done;
        long now = nanoTime.getAsLong();
        if (now - lastNanos >= EVERY_NANOS) {
            lastNanos = now;
            show();
        }
    }

    @Override
    public void close() {
        if (shown != done) {
            show();
        }
    }

    private void show() {
        shown = done;
        long percent = total == 0 ? 100 : done * 100 / total;
        out.printf(Locale.ROOT, "%s: %,d of %,d (%d%%)%n", task, done, total, percent);
    }
}
