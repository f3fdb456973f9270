package dev.lanekeeper.benchmarks;

import java.util.Locale;

/**
 * Whether a reading reached its target, as one line.
 *
 * @param what was measured
 * @param reading what it came to
 * @param limit the target
 * @param atMost whether less is better
 * @param unit of both, with a space before it
 */
public record Verdict(String what, double reading, double limit, boolean atMost, String unit) {
    /** Reached if the reading is no more than {@code limit}. */
    public static Verdict atMost(String what, double reading, double limit, String unit) {
        return new Verdict(what, reading, limit, true, unit);
    }

    /** Reached if the reading is no less than {@code limit}. */
    public static Verdict atLeast(String what, double reading, double limit, String unit) {
        return new Verdict(what, reading, limit, false, unit);
    }

    /** Whether it did. */
    public boolean reached() {
        return atMost ? reading <= limit : reading >= limit; // a reading that is no number reaches nothing
    }

    /** How far beyond the target it is: 1.2 says that it missed by a fifth. */
    public double missedBy() {
        return atMost ? reading / limit : limit / reading;
    }

    @Override
    public String toString() {
        String line = String.format(
                Locale.ROOT, "%s: %.2f%s, target %s %.2f%s", what, reading, unit, atMost ? "<=" : ">=", limit, unit);
        if (reached()) {
            return "reached  " + line;
        }
        return "MISSED   " + line + (limit == 0 ? "" : String.format(Locale.ROOT, " (x%.2f)", missedBy()));
    }
}
