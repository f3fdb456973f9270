package dev.lanekeeper.engine.offset;

/**
 * How many bits the map of a partition may come to need, whatever ends first. Kept up to date in O(1) as records come and
 * end. Confined to one thread.
 *
 * <p>Rice's code spends on each open offset what depends on its distance from the one before alone. The weight of a
 * distance is at least that, and such that two distances together weigh no less than the one they become when the record
 * between them ends. So the weight of a partition rises only when a record is delivered; as long as that is not allowed
 * when the weight is near the limit, the map fits at all times.
 *
 * <p>That it holds: with q what is above the parameter's k bits of a gap, 160 being the mark and 200 the longest code, a
 * code has {@code q + 1 + k} bits, or 200 from q = 160 on. For k = 0 the weight is {@code min(1.25 (q + 1), 200)}, of
 * which distances are simply added when gaps are joined. For larger k it is {@code min(1 + k + 1.25 q, 200)}; joining makes
 * of q1 and q2 at most {@code q1 + q2 + 1}, and 1.25 more is less than the {@code 1 + k} that are saved. Three parameters
 * are enough, since others would only make it tighter.
 */
final class MapWeight {
    /** Weights are kept in quarters of a bit. */
    private static final int UNIT = 4;

    private static final long LONGEST = (long) UNIT * RiceCoding.LONGEST;

    private long dense; // parameter 0
    private long sparse; // parameter 4
    private long scattered; // parameter 8

    /** An open offset came that has so many done ones directly before it. */
    void add(long gap) {
        change(gap, 1);
    }

    /** Takes one away that was added with this gap. */
    void remove(long gap) {
        change(gap, -1);
    }

    private void change(long gap, int sign) {
        dense += sign * Math.min(5 * (gap + 1), LONGEST);
        sparse += sign * Math.min(5 * (gap >> 4) + UNIT * 5, LONGEST);
        scattered += sign * Math.min(5 * (gap >> 8) + UNIT * 9, LONGEST);
    }

    /** No map of what is open now, or of part of it, needs more. */
    long bits() {
        return (Math.min(dense, Math.min(sparse, scattered)) + UNIT - 1) / UNIT;
    }
}
