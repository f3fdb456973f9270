package dev.lanekeeper.benchmarks;

/** The keys that all measurements share: strings of customers, their hashes computed beforehand. */
public final class Keys {
    private Keys() {}

    /** So many distinct keys. */
    public static String[] of(int count) {
        String[] keys = new String[count];
        for (int i = 0; i < count; i++) {
            keys[i] = of((long) i);
            int unused = keys[i].hashCode(); // cached by the string, or the first lookup would pay for it
        }
        return keys;
    }

    /** The key with that number. */
    public static String of(long number) {
        return "customer-" + number;
    }
}
