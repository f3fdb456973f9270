package dev.lanekeeper.benchmarks;

import java.util.Locale;

/** Whether a reading reached its target, as one line. */
record Verdict(String what, double reading, double limit, boolean atMost, String unit) {
    static Verdict atMost(String what, double reading, double limit, String unit) {
        return new Verdict(what, reading, limit, true, unit);
    }

    static Verdict atLeast(String what, double reading, double limit, String unit) {
        return new Verdict(what, reading, limit, false, unit);
    }

    boolean reached() {
        return atMost ? reading <= limit : reading >= limit; // a reading that is no number reaches nothing
    }

    /** How far beyond the target it is: 1.2 says that it missed by a fifth. */
    double missedBy() {
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
