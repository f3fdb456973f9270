package dev.lanekeeper.lanes;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * The keys of bulks, in the one order in which lanes are taken. Immutable.
 *
 * @param order agrees with equals
 * @param limit the largest number of keys
 */
record BulkKeys<K>(Comparator<? super K> order, int limit) {
    /** The distinct keys, sorted. */
    List<K> of(Collection<? extends K> keys) {
        List<K> sorted = new ArrayList<>(Objects.requireNonNull(keys, "keys"));
        sorted.forEach(key -> Objects.requireNonNull(key, "key"));
        sorted.sort(order);
        List<K> distinct = new ArrayList<>(sorted.size());
        for (K key : sorted) {
            if (distinct.isEmpty() || order.compare(distinct.get(distinct.size() - 1), key) != 0) {
                distinct.add(key);
            }
        }
        if (distinct.size() > limit) {
            throw new IllegalArgumentException("a bulk may hold at most " + limit + " lanes, not " + distinct.size());
        }
        return distinct;
    }
}
