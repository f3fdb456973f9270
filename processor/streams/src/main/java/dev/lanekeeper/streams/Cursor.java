package dev.lanekeeper.streams;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far the outcomes of one customer have come in one partition: the highest offset, the newest owner, and what the
 * latest runs wrote. Small whatever the number of records. Confined to its task.
 */
final class Cursor {
    /** More owners than this of one customer and partition, and the oldest is forgotten: its epoch gives it away still. */
    private static final int RUNS = 8;

    private long top = -1;
    private @Nullable Run owner;
    private final List<Reach> reaches = new ArrayList<>(2);

    /** What one run wrote: the first and last offset it was the first to finish, and the highest it wrote at all. */
    private static final class Reach {
        private final Run run;
        private long first = -1;
        private long last = -1;
        private long top = -1;

        Reach(Run run) {
            this.run = run;
        }
    }

    /** The highest offset that has an outcome; -1 before the first. */
    long top() {
        return top;
    }

    /** The run of the highest epoch, the latest of them if several; {@code null} before the first. */
    @Nullable
    Run owner() {
        return owner;
    }

    /** Whether {@code run} was the one to write the first outcome of {@code offset}, as far as order tells. */
    boolean finished(Run run, long offset) {
        Reach reach = find(run);
        return reach != null && reach.first >= 0 && offset >= reach.first && offset <= reach.last;
    }

    /** The highest offset {@code run} wrote; -1 if none is known. */
    long top(Run run) {
        Reach reach = find(run);
        return reach == null ? -1 : reach.top;
    }

    void advance(Run run, long offset, boolean firstOutcome) {
        Reach reach = find(run);
        if (reach == null) {
            reach = new Reach(run);
            remember(reach);
        }
        if (firstOutcome) {
            top = Math.max(top, offset);
            reach.first = reach.first < 0 ? offset : Math.min(reach.first, offset);
            reach.last = Math.max(reach.last, offset);
        }
        reach.top = Math.max(reach.top, offset);
        if (owner == null || run.epoch() >= owner.epoch()) {
            owner = run;
        }
    }

    private @Nullable Reach find(Run run) {
        for (Reach reach : reaches) {
            if (reach.run.equals(run)) {
                return reach;
            }
        }
        return null;
    }

    private void remember(Reach reach) {
        if (reaches.size() == RUNS) {
            int oldest = 0;
            for (int i = 1; i < reaches.size(); i++) {
                if (reaches.get(i).run.epoch() < reaches.get(oldest).run.epoch()) {
                    oldest = i;
                }
            }
            reaches.remove(oldest);
        }
        reaches.add(reach);
    }

    byte[] bytes() {
        StateWriter writer = new StateWriter().put(top);
        if (owner == null) {
            return writer.put((byte) 0).bytes();
        }
        writer.put((byte) 1).put(owner);
        for (Reach reach : reaches) {
            writer.put(reach.run).put(reach.first).put(reach.last).put(reach.top);
        }
        return writer.bytes();
    }

    static Cursor of(byte @Nullable [] bytes) {
        Cursor cursor = new Cursor();
        if (bytes == null) {
            return cursor;
        }
        StateReader reader = new StateReader(bytes);
        cursor.top = reader.longNumber();
        cursor.owner = reader.flag() == 0 ? null : reader.run();
        while (reader.hasMore()) {
            Reach reach = new Reach(reader.run());
            reach.first = reader.longNumber();
            reach.last = reader.longNumber();
            reach.top = reader.longNumber();
            cursor.reaches.add(reach);
        }
        return cursor;
    }
}
