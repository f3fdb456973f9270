package dev.lanekeeper.engine.offset;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The delivered records of one assigned partition, from the first that is not done to the last, and the commit frontier.
 * Confined to one thread.
 *
 * <p>A ring in delivery order, indexed by a sequence number that counts deliveries: an offset between two delivered ones
 * (a transaction marker, a compacted or aborted record) never becomes an entry and so can't hold anything back. Each
 * operation is O(1), but for the growth of the ring and for the advance over entries that are done, which happens once for
 * each.
 *
 * <p>Invariants: the entry at {@code head}, if there is one, is not done; {@link #frontier} never exceeds the offset of
 * any entry that is not done; it never falls.
 *
 * @param <E> what the caller keeps for a record that is not done
 */
public final class OffsetTracker<E> {
    private static final int INITIAL_CAPACITY = 64;

    /** Parallel rings; an entry that is {@code null} between head and tail is done. */
    private @Nullable Object[] entries = new @Nullable Object[INITIAL_CAPACITY];

    private long[] offsets = new long[INITIAL_CAPACITY];
    private int[] leaderEpochs = new int[INITIAL_CAPACITY];

    private long head;
    private long tail;
    private int incomplete;

    /** The next offset to read, as far as is known; negative before anything is. */
    private long end = -1;

    /** Leader epoch of the last record below the frontier; negative if unknown. */
    private int frontierLeaderEpoch = -1;

    /** The sequence number that the next {@link #register} takes. */
    public long nextSequence() {
        return tail;
    }

    /**
     * Notes a delivered record. Offsets must ascend.
     *
     * @param leaderEpoch leader epoch of the record, negative if unknown
     * @throws IllegalArgumentException if {@code offset} is below the known end
     */
    public void register(long offset, int leaderEpoch, E entry) {
        if (offset < end) {
            throw new IllegalArgumentException("offset " + offset + " was delivered after offset " + (end - 1));
        }
        if (tail - head == entries.length) {
            grow();
        }
        int slot = slot(tail++);
        entries[slot] = entry;
        offsets[slot] = offset;
        leaderEpochs[slot] = leaderEpoch;
        incomplete++;
        end = offset + 1;
    }

    /** The next offset to read, as far as is known; negative before anything is. */
    public long knownEnd() {
        return end;
    }

    /** Notes that everything below {@code nextOffset} was delivered or never will be. */
    public void advanceKnownEnd(long nextOffset) {
        end = Math.max(end, nextOffset);
    }

    /**
     * Marks a record as done.
     *
     * @return {@code false} if it was done already
     * @throws IllegalArgumentException if no such record was registered
     */
    public boolean complete(long sequence) {
        if (sequence >= tail || sequence < 0) {
            throw new IllegalArgumentException("sequence " + sequence + " is not below " + tail);
        }
        int slot = slot(sequence);
        if (sequence < head || entries[slot] == null) {
            return false;
        }
        entries[slot] = null;
        incomplete--;
        while (head < tail && entries[slot(head)] == null) {
            frontierLeaderEpoch = leaderEpochs[slot(head)];
            head++;
        }
        return true;
    }

    /** The commit frontier: the next offset to read after the unbroken done prefix; negative if nothing is known yet. */
    public long frontier() {
        return head == tail ? end : offsets[slot(head)];
    }

    /** Leader epoch of the last record below the frontier; negative if unknown. */
    public int frontierLeaderEpoch() {
        return frontierLeaderEpoch;
    }

    /** Records that are not done. */
    public int incomplete() {
        return incomplete;
    }

    /** Records from the first that is not done to the last delivered, done ones included: what the ring holds. */
    public long span() {
        return tail - head;
    }

    /** Calls {@code action} for each record that is not done, in delivery order. */
    @SuppressWarnings("unchecked") // only register writes entries
    public void forEachIncomplete(Consumer<? super E> action) {
        for (long sequence = head; sequence < tail; sequence++) {
            Object entry = entries[slot(sequence)];
            if (entry != null) {
                action.accept((E) entry);
            }
        }
    }

    private int slot(long sequence) {
        return (int) sequence & (entries.length - 1);
    }

    private void grow() {
        int capacity = entries.length;
        int first = slot(head);
        @Nullable Object[] grownEntries = new @Nullable Object[capacity * 2];
        long[] grownOffsets = new long[capacity * 2];
        int[] grownEpochs = new int[capacity * 2];
        // a full ring starts anywhere: unroll it so that each sequence lands in its slot of the larger one
        int to = (int) head & (capacity * 2 - 1);
        for (int i = 0; i < capacity; i++) {
            int source = (first + i) & (capacity - 1);
            int target = (to + i) & (capacity * 2 - 1);
            grownEntries[target] = entries[source];
            grownOffsets[target] = offsets[source];
            grownEpochs[target] = leaderEpochs[source];
        }
        entries = grownEntries;
        offsets = grownOffsets;
        leaderEpochs = grownEpochs;
    }

    @Override
    public String toString() {
        return "OffsetTracker[frontier=" + frontier() + ", end=" + end + ", incomplete=" + incomplete + ", span="
                + span() + "]";
    }
}
