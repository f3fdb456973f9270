package dev.lanekeeper.streams;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far the outcomes of one customer have come in one partition: the highest offset, the newest owner, and how
 * far each of the latest runs came. Small whatever the number of records. Confined to its task.
 */
final class Cursor {
    /** More owners than this of one customer and partition, and the oldest is forgotten: its epoch gives it away still. */
    private static final int RUNS = 8;

    private long top = -1;
    private @Nullable Run owner;
    private final List<Reach> reaches = new ArrayList<>(2);

    /** The highest offset that one run wrote. */
    private record Reach(Run run, long top) {}

    /** The highest offset that has an outcome; -1 before the first. */
    long top() {
        return top;
    }

    /** The run of the highest epoch, the latest of them if several; {@code null} before the first. */
    @Nullable
    Run owner() {
        return owner;
    }

    /** The highest offset {@code run} wrote; -1 if none is known. */
    long top(Run run) {
        Reach reach = find(run);
        return reach == null ? -1 : reach.top;
    }

    void advance(Run run, long offset) {
        top = Math.max(top, offset);
        Reach reach = find(run);
        if (reach == null) {
            remember(new Reach(run, offset));
        } else if (offset > reach.top) {
            reaches.set(reaches.indexOf(reach), new Reach(run, offset));
        }
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
            writer.put(reach.run).put(reach.top);
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
            cursor.reaches.add(new Reach(reader.run(), reader.longNumber()));
        }
        return cursor;
    }
}
