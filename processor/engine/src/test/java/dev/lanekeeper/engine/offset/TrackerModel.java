package dev.lanekeeper.engine.offset;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Drives a tracker with chance and compares it, after each step, with a list of everything that was ever delivered. What
 * it demands is what a commit relies on.
 */
final class TrackerModel {
    /** What is driven: the tracker, or one with a planted fault. */
    interface Subject {
        long nextSequence();

        void register(long offset, int leaderEpoch, Long entry);

        void advanceKnownEnd(long nextOffset);

        boolean complete(long sequence);

        long frontier();

        int frontierLeaderEpoch();

        int incomplete();

        long span();

        List<Long> incompleteEntries();

        AheadMap doneAhead();

        long mapWeightBits();
    }

    private record Delivered(long offset, int leaderEpoch, long sequence) {}

    private final Subject subject;
    private final RandomGenerator random;
    private final List<Delivered> delivered = new ArrayList<>();
    private final List<Boolean> done = new ArrayList<>();
    private long end = -1;
    private long lastFrontier = -1;

    TrackerModel(Subject subject, RandomGenerator random) {
        this.subject = subject;
        this.random = random;
    }

    /** So many steps; {@code spread} is how far completions stray from delivery order. */
    void run(int steps, int spread) {
        int leaderEpoch = -1;
        for (int step = 0; step < steps; step++) {
            switch (random.nextInt(8)) {
                case 0 -> gap();
                case 1, 2, 3 -> {
                    leaderEpoch += random.nextInt(20) == 0 ? 1 : 0;
                    deliver(leaderEpoch);
                }
                default -> completeOne(spread);
            }
            check();
        }
        while (subject.incomplete() > 0) {
            completeOne(spread);
            check();
        }
        demand(subject.frontier() == end, "everything is done, but the frontier is not at the end " + end);
    }

    private void deliver(int leaderEpoch) {
        long offset = Math.max(0, end) + (random.nextInt(4) == 0 ? random.nextInt(1, 5) : 0);
        long sequence = subject.nextSequence();
        demand(
                delivered.isEmpty()
                        || sequence > delivered.get(delivered.size() - 1).sequence(),
                "sequence numbers ascend with deliveries");
        subject.register(offset, leaderEpoch, offset);
        delivered.add(new Delivered(offset, leaderEpoch, sequence));
        done.add(false);
        end = offset + 1;
    }

    private void gap() {
        long next = Math.max(0, end) + random.nextInt(3);
        subject.advanceKnownEnd(next);
        end = Math.max(end, next);
    }

    private void completeOne(int spread) {
        int first = done.indexOf(false);
        if (first < 0) {
            return;
        }
        int number = Math.min(delivered.size() - 1, first + random.nextInt(spread));
        long weight = subject.mapWeightBits();
        demand(
                subject.complete(delivered.get(number).sequence()) != done.get(number),
                "the first completion counts, and only the first");
        demand(subject.mapWeightBits() <= weight, "the weight of the map has risen by a completion");
        done.set(number, true);
    }

    private void check() {
        int first = done.indexOf(false);
        long lowest = first < 0 ? Long.MAX_VALUE : delivered.get(first).offset();
        demand(subject.frontier() <= lowest, "the frontier is above offset " + lowest + ", which is not done");
        demand(subject.frontier() == (first < 0 ? end : lowest), "the frontier is not at the lowest that is not done");
        demand(subject.frontier() >= lastFrontier, "the frontier fell from " + lastFrontier);
        lastFrontier = subject.frontier();
        int below = first < 0 ? delivered.size() - 1 : first - 1;
        demand(
                subject.frontierLeaderEpoch()
                        == (below < 0 ? -1 : delivered.get(below).leaderEpoch()),
                "the leader epoch is not that of the last record below the frontier");
        demand(subject.span() == (first < 0 ? 0 : end - lowest), "the span is wrong");
        List<Long> open = new ArrayList<>();
        for (int i = Math.max(0, first); i < delivered.size(); i++) {
            if (!done.get(i)) {
                open.add(delivered.get(i).offset());
            }
        }
        demand(subject.incomplete() == open.size(), "the count of what is not done is wrong");
        demand(subject.incompleteEntries().equals(open), "what is not done is not " + open);
        checkMap(open);
    }

    /** As it is after the way through the broker: exact where nothing had to be forgotten. */
    private void checkMap(List<Long> ascending) {
        Set<Long> open = new HashSet<>(ascending);
        AheadMapCodec codec = new AheadMapCodec("jobs", 0);
        String text = codec.write(subject.doneAhead(), null, AheadMapCodec.MAX_CHARACTERS);
        demand(
                text.length() * 6L <= subject.mapWeightBits() + AheadMapCodec.MAX_OVERHEAD_BYTES * 8 + 16,
                "the map is larger than its weight says");
        AheadMap map;
        try {
            map = codec.note(text, subject.frontier()).map();
        } catch (UnreadableMapException e) {
            throw new AssertionError("the map can't be read back", e);
        }
        for (long offset = Math.max(0, subject.frontier()); offset < end + 2; offset++) {
            boolean claimed = map != null && map.done(offset);
            demand(!claimed || (!open.contains(offset) && offset < end), "the map says that " + offset + " is done");
            boolean ahead = !open.isEmpty() && offset < end && !open.contains(offset);
            demand(claimed || !ahead, "the map does not say that " + offset + " is done");
        }
    }

    private void demand(boolean kept, String what) {
        if (!kept) {
            throw new AssertionError(what + ", after " + delivered.size() + " deliveries: frontier "
                    + subject.frontier() + ", " + subject.incomplete() + " not done");
        }
    }

    /** Stands in front of the real tracker; a planted fault overrides what it breaks. */
    static class Real implements Subject {
        final OffsetTracker<Long> tracker = new OffsetTracker<>();

        @Override
        public long nextSequence() {
            return tracker.nextSequence();
        }

        @Override
        public void register(long offset, int leaderEpoch, Long entry) {
            tracker.register(offset, leaderEpoch, entry);
        }

        @Override
        public void advanceKnownEnd(long nextOffset) {
            tracker.advanceKnownEnd(nextOffset);
        }

        @Override
        public boolean complete(long sequence) {
            return tracker.complete(sequence);
        }

        @Override
        public long frontier() {
            return tracker.frontier();
        }

        @Override
        public int frontierLeaderEpoch() {
            return tracker.frontierLeaderEpoch();
        }

        @Override
        public int incomplete() {
            return tracker.incomplete();
        }

        @Override
        public long span() {
            return tracker.span();
        }

        @Override
        public AheadMap doneAhead() {
            return tracker.doneAhead();
        }

        @Override
        public long mapWeightBits() {
            return tracker.mapWeightBits();
        }

        @Override
        public List<Long> incompleteEntries() {
            List<Long> entries = new ArrayList<>();
            tracker.forEachIncomplete((@Nullable Long entry) -> {
                if (entry != null) {
                    entries.add(entry);
                }
            });
            return entries;
        }
    }
}
