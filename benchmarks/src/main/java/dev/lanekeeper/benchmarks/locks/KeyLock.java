package dev.lanekeeper.benchmarks.locks;

/**
 * One way to let one thread at a time into the section of a key. Thread-safe.
 *
 * @param <T> what has to be kept from entering to leaving
 */
public interface KeyLock<T> {
    /** Enters the section of {@code key}, waiting on the calling thread. */
    T enter(String key);

    /** Leaves the section of {@code key}, with what {@link #enter} gave. */
    void leave(String key, T token);

    /** Runs {@code body} inside the section of {@code key}. */
    default void run(String key, Runnable body) {
        T token = enter(key);
        try {
            body.run();
        } finally {
            leave(key, token);
        }
    }
}
