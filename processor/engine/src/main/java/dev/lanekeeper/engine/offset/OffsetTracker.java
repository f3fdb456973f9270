package dev.lanekeeper.engine.offset;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The delivered records of one assigned partition that are not done, the commit frontier, and what is done ahead of it.
 * Confined to one thread.
 *
 * <p>A list in delivery order, linked through arrays, of the records that are not done and of nothing else: neither those
 * that are done, however many lie behind one that is not, nor offsets that no record has (transaction markers, compacted
 * or aborted records) take room or time. Each operation is O(1), but for the growth of the arrays and for {@link
 * #doneAhead}, which walks the list.
 *
 * <p>Invariants: offsets ascend along the list; the frontier is the offset of its first record, or the known end if there
 * is none, and never falls; {@link #doneAhead} never covers a record that is not done.
 *
 * @param <E> what the caller keeps for a record that is not done
 */
public final class OffsetTracker<E> {
    private static final int INITIAL_CAPACITY = 64;
    private static final int NONE = -1;
    private static final long SLOT_MASK = 0xffff_ffffL;

    /** By slot; {@code null} where none is kept. */
    private @Nullable Object[] entries = new @Nullable Object[INITIAL_CAPACITY];

    private long[] offsets = new long[INITIAL_CAPACITY];

    /** The leader epoch of the record delivered just before, done or not. */
    private int[] epochsBefore = new int[INITIAL_CAPACITY];

    /** The upper half of the sequence number. */
    private int[] counts = new int[INITIAL_CAPACITY];

    private int[] older = new int[INITIAL_CAPACITY];

    /** Towards the newest; in a free slot, the next free one. */
    private int[] newer = new int[INITIAL_CAPACITY];

    private int oldest = NONE;
    private int newest = NONE;
    private int free;
    private int delivered;
    private int incomplete;
    private long changes;

    /** The next offset to read, as far as is known; negative before anything is. */
    private long end = -1;

    /** Leader epoch of the last delivered record; negative if unknown. */
    private int lastLeaderEpoch = -1;

    private final MapWeight weight = new MapWeight();
    private @Nullable Replay replay;

    /** Empty. */
    public OffsetTracker() {
        free = chain(0, INITIAL_CAPACITY);
    }

    /**
     * Begins where an earlier owner has stopped; before anything else is said.
     *
     * @param offset the committed offset
     * @param leaderEpoch that of the last record below, negative if unknown
     * @param map what was done ahead, if anything was
     */
    public void resume(long offset, int leaderEpoch, @Nullable AheadMap map) {
        if (end >= 0) {
            throw new IllegalStateException("offset " + end + " is known already; too late to resume at " + offset);
        }
        end = offset;
        lastLeaderEpoch = leaderEpoch;
        replay = map == null ? null : new Replay(map);
    }

    /** Whether records may come that were done before. */
    public boolean replaying() {
        return replay != null;
    }

    /** Where the knowledge ends of what was done before; the known end if there is none. */
    public long replayEnd() {
        return replay == null ? end : replay.end();
    }

    /**
     * Whether a record that is now delivered shows that the log was cut and written anew since the map was made: no record
     * that the map knows has such a late leader epoch. Then the map says nothing more, of this record and those after it.
     */
    public boolean replayEndsAt(long offset, int leaderEpoch) {
        if (replay == null || !replay.contradictedBy(offset, leaderEpoch)) {
            return false;
        }
        forgetReplay();
        return true;
    }

    /** What was done before and is yet to come is done again. */
    public void forgetReplay() {
        replay = null;
    }

    /** The sequence number that the next {@link #register} takes. They ascend; the lower half says where it is kept. */
    public long nextSequence() {
        if (free == NONE) {
            grow();
        }
        return ((long) delivered << Integer.SIZE) | free;
    }

    /**
     * Whether a record that is now delivered was done before; if so, this notes its delivery, and it must not be
     * registered. Offsets must ascend.
     *
     * @param leaderEpoch leader epoch of the record, negative if unknown
     */
    public boolean passIfDone(long offset, int leaderEpoch) {
        if (replay == null || !replay.done(offset)) {
            return false;
        }
        requireAscending(offset);
        passed(offset, leaderEpoch);
        return true;
    }

    /**
     * Notes a delivered record. Offsets must ascend.
     *
     * @param leaderEpoch leader epoch of the record, negative if unknown
     * @throws IllegalArgumentException if {@code offset} is below the known end
     */
    public void register(long offset, int leaderEpoch, E entry) {
        requireAscending(offset);
        int slot = (int) (nextSequence() & SLOT_MASK);
        free = newer[slot];
        entries[slot] = entry;
        offsets[slot] = offset;
        epochsBefore[slot] = lastLeaderEpoch;
        counts[slot] = delivered++;
        older[slot] = newest;
        newer[slot] = NONE;
        if (newest == NONE) {
            oldest = slot;
        } else {
            newer[newest] = slot;
        }
        newest = slot;
        weight.add(gapBefore(slot));
        incomplete++;
        passed(offset, leaderEpoch);
    }

    private void requireAscending(long offset) {
        if (offset < end) {
            throw new IllegalArgumentException("offset " + offset + " was delivered after offset " + (end - 1));
        }
    }

    private void passed(long offset, int leaderEpoch) {
        lastLeaderEpoch = leaderEpoch;
        advanceKnownEnd(offset + 1);
    }

    /** The next offset to read, as far as is known; negative before anything is. */
    public long knownEnd() {
        return end;
    }

    /**
     * As {@link #advanceKnownEnd(long)}. A commit that repeats an offset with a later leader epoch is worth its while: with an
     * earlier one its next owner would go back to where that epoch ended. And if the epoch is later than that of what is known
     * to be done, the log may have been cut and written anew: what is known says nothing of what comes.
     *
     * @param leaderEpoch of what was delivered last, record or not; negative if unknown
     */
    public void advanceKnownEnd(long nextOffset, int leaderEpoch) {
        if (nextOffset >= end && leaderEpoch > lastLeaderEpoch) {
            lastLeaderEpoch = leaderEpoch;
            changes++;
        }
        replayEndsAt(nextOffset, leaderEpoch);
        advanceKnownEnd(nextOffset);
    }

    /** Notes that everything below {@code nextOffset} was delivered or never will be. */
    public void advanceKnownEnd(long nextOffset) {
        end = Math.max(end, nextOffset);
        if (replay != null) {
            replay.pass(end);
            if (end >= replay.end()) {
                replay = null;
            }
        }
    }

    /**
     * Marks a record as done.
     *
     * @return {@code false} if it was done already
     * @throws IllegalArgumentException if no record can have been given that sequence number yet
     */
    public boolean complete(long sequence) {
        int slot = (int) (sequence & SLOT_MASK);
        int count = (int) (sequence >>> Integer.SIZE);
        if (slot < 0 || slot >= entries.length || count - delivered >= 0) {
            throw new IllegalArgumentException("sequence " + sequence + " was never given to a record");
        }
        if (entries[slot] == null || counts[slot] != count) {
            return false;
        }
        unlink(slot);
        entries[slot] = null;
        newer[slot] = free;
        free = slot;
        incomplete--;
        changes++;
        return true;
    }

    private void unlink(int slot) {
        int before = older[slot];
        int after = newer[slot];
        weight.remove(gapBefore(slot));
        if (after != NONE) {
            weight.remove(gapBefore(after));
            older[after] = before;
        } else {
            newest = before;
        }
        if (before != NONE) {
            newer[before] = after;
        } else {
            oldest = after;
        }
        if (after != NONE) {
            weight.add(gapBefore(after));
        }
    }

    private long gapBefore(int slot) {
        return older[slot] == NONE ? 0 : offsets[slot] - offsets[older[slot]] - 1;
    }

    /** The commit frontier: the next offset to read after the unbroken done prefix; negative if nothing is known yet. */
    public long frontier() {
        return oldest == NONE ? end : offsets[oldest];
    }

    /** Leader epoch of the last record below the frontier; negative if unknown. */
    public int frontierLeaderEpoch() {
        return oldest == NONE ? lastLeaderEpoch : epochsBefore[oldest];
    }

    /** What is done ahead of the frontier, at this moment. */
    public AheadMap doneAhead() {
        int coming = replay == null ? 0 : replay.openCount();
        long[] open = new long[incomplete + coming];
        int count = 0;
        for (int slot = oldest; slot != NONE; slot = newer[slot]) {
            open[count++] = offsets[slot];
        }
        long last = end;
        int leaderEpoch = lastLeaderEpoch;
        if (replay != null) {
            for (int i = 0; i < coming; i++) {
                open[count++] = replay.open(i);
            }
            last = Math.max(end, replay.end());
            leaderEpoch = Math.max(leaderEpoch, replay.leaderEpoch());
        }
        return new AheadMap(frontier(), last, open, leaderEpoch);
    }

    /** A number that has changed when what is done has. */
    public long changes() {
        return changes;
    }

    /** How many bits the map of what is done ahead may come to need if nothing more is delivered, whatever ends first. */
    public long mapWeightBits() {
        return weight.bits() + (replay == null ? 0 : replay.weightBits());
    }

    /** Records that are not done. */
    public int incomplete() {
        return incomplete;
    }

    /** Offsets from the frontier to the known end. */
    public long span() {
        return end - frontier();
    }

    /** Calls {@code action} for each record that is not done, in delivery order. It must not complete any. */
    @SuppressWarnings("unchecked") // only register writes entries
    public void forEachIncomplete(Consumer<? super E> action) {
        for (int slot = oldest; slot != NONE; slot = newer[slot]) {
            Object entry = entries[slot];
            if (entry != null) {
                action.accept((E) entry);
            }
        }
    }

    private void grow() {
        int capacity = entries.length;
        entries = Arrays.copyOf(entries, capacity * 2);
        offsets = Arrays.copyOf(offsets, capacity * 2);
        epochsBefore = Arrays.copyOf(epochsBefore, capacity * 2);
        counts = Arrays.copyOf(counts, capacity * 2);
        older = Arrays.copyOf(older, capacity * 2);
        newer = Arrays.copyOf(newer, capacity * 2);
        free = chain(capacity, capacity * 2);
    }

    /** Links free slots to each other; returns the first. */
    private int chain(int from, int to) {
        for (int slot = from; slot < to - 1; slot++) {
            newer[slot] = slot + 1;
        }
        newer[to - 1] = NONE;
        return from;
    }

    @Override
    public String toString() {
        return "OffsetTracker[frontier=" + frontier() + ", end=" + end + ", incomplete=" + incomplete + "]";
    }
}
