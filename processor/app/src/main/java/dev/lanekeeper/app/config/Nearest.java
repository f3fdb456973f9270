package dev.lanekeeper.app.config;

import java.util.Collection;
import java.util.Comparator;
import org.apache.commons.text.similarity.LevenshteinDistance;

/**
 * The known name that is most like a misspelt one.
 *
 * @param name the known name
 * @param distance letters to add, drop or change
 */
record Nearest(String name, int distance) {
    /** {@code known} must not be empty. */
    static Nearest of(String given, Collection<String> known) {
        return known.stream()
                .map(name -> new Nearest(name, slips(given, name)))
                .min(Comparator.comparingInt(Nearest::distance).thenComparing(Nearest::name))
                .orElseThrow();
    }

    /** A forgotten first part, as in {@code concurrency} for {@code lanekeeper.concurrency}, counts as one slip. */
    private static int slips(String given, String name) {
        LevenshteinDistance distance = LevenshteinDistance.getDefaultInstance();
        int whole = distance.apply(given, name);
        int dot = name.indexOf('.');
        return dot < 0 ? whole : Math.min(whole, 1 + distance.apply(given, name.substring(dot + 1)));
    }
}
