package dev.lanekeeper.benchmarks.commit;

import dev.lanekeeper.engine.offset.AheadMap;
import dev.lanekeeper.engine.offset.AheadMapCodec;
import dev.lanekeeper.engine.offset.OffsetTracker;
import dev.lanekeeper.engine.offset.Origin;
import dev.lanekeeper.engine.offset.UnreadableMapException;

/** The engine's: what a commit of the intake does for one partition. */
final class OpenOffsets implements DoneBehind {
    private static final String RECORD = "record";
    private static final Origin ORIGIN = new Origin(1, 2, 3);

    private final OffsetTracker<String> tracker = new OffsetTracker<>();
    private final AheadMapCodec codec = new AheadMapCodec("topic", 0);

    OpenOffsets() {
        tracker.register(0, -1, RECORD);
    }

    @Override
    public void done() {
        long sequence = tracker.nextSequence();
        tracker.register(tracker.knownEnd(), -1, RECORD);
        tracker.complete(sequence);
    }

    @Override
    public String map() {
        return codec.write(tracker.doneAhead(), ORIGIN, AheadMapCodec.MAX_CHARACTERS);
    }

    @Override
    public boolean readsAsDone(String map, long offset) {
        try {
            AheadMap read = codec.note(map, tracker.frontier()).map();
            return read != null && read.done(offset);
        } catch (UnreadableMapException e) {
            throw new IllegalStateException("it was written just now: " + map, e);
        }
    }
}
