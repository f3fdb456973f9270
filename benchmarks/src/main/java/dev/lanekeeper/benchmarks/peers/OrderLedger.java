package dev.lanekeeper.benchmarks.peers;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Whether records of a key are handled in order, each once, one at a time; cheap enough to be asked a million times a second.
 * Thread-safe.
 *
 * <p>One word for each key: twice the position that is due, plus one while a record is being handled. A record begins in
 * order, alone and for the first time if and only if it finds its own position due.
 */
final class OrderLedger {
    private final AtomicIntegerArray words;
    private final boolean gaps;
    private final LongAdder overlaps = new LongAdder();
    private final LongAdder disorders = new LongAdder();

    /** Demands all records of each key, from the first on. */
    OrderLedger(int keys) {
        this(keys, false);
    }

    /** With {@code gaps}, records may be left out, as after a restart: what comes must still ascend. */
    OrderLedger(int keys, boolean gaps) {
        this.words = new AtomicIntegerArray(keys);
        this.gaps = gaps;
    }

    void begun(int key, int position) {
        if (!words.compareAndSet(key, position * 2, position * 2 + 1)) {
            int found = words.getAndSet(key, position * 2 + 1);
            if ((found & 1) == 1) {
                overlaps.increment();
            } else if (!gaps || found > position * 2) {
                disorders.increment();
            }
        }
    }

    void ended(int key, int position) {
        words.lazySet(key, position * 2 + 2);
    }

    /** Records that began while another of their key was being handled. */
    long overlaps() {
        return overlaps.sum();
    }

    /** Records that began when another position was due: too early, too late, or again. */
    long disorders() {
        return disorders.sum();
    }

    /** Records that were found to follow their predecessor; 0 means that nothing was proved. */
    long comparisons() {
        long found = 0;
        for (int key = 0; key < words.length(); key++) {
            found += Math.max(0, words.get(key) / 2 - 1);
        }
        return Math.max(0, found - overlaps() - disorders());
    }
}
