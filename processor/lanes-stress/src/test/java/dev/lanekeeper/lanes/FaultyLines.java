package dev.lanekeeper.lanes;

import org.jspecify.annotations.Nullable;

/** A chain as lanes have it, with reads and writes where there should be exchanges. Must be found. */
public final class FaultyLines extends LineCalls {
    private final Line line = new Line();

    @Override
    Seat enter() {
        Link link = new Link(line);
        Link previous = line.tail;
        line.tail = link;
        if (previous == null) {
            link.heads = true;
        } else {
            previous.next = link;
        }
        return link;
    }

    private static final class Line {
        private volatile @Nullable Link tail;
    }

    private static final class Link implements Seat {
        private final Line line;
        private volatile boolean heads;
        private volatile @Nullable Link next;

        Link(Line line) {
            this.line = line;
        }

        @Override
        public boolean heads() {
            return heads;
        }

        @Override
        public void leave() {
            Link successor = next;
            if (successor != null) {
                successor.heads = true;
            } else if (line.tail == this) {
                line.tail = null;
            }
        }
    }
}
