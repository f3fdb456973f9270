package dev.lanekeeper.testkit.model;

import org.jspecify.annotations.Nullable;

/**
 * A concurrent algorithm in small: threads that take turns in changing some words. The words are all there is, shared
 * memory, program counters and local variables alike, so that two equal arrays have the same future. Stateless.
 *
 * <p>One step is one access to shared memory, and whatever local work follows it. Local variables that are no longer
 * read should be set back to 0: it keeps equal what behaves equally.
 */
public interface Model {
    /** How many threads there are; they are called 0, 1, and so on. */
    int threads();

    /** The words before anything has happened. */
    int[] initial();

    /**
     * Lets one thread take its next step by changing {@code words}, which are a copy for this step alone.
     *
     * @return what it did, for the story of a fault; {@code null} if it has nothing to do, or waits for another thread
     */
    @Nullable
    String step(int thread, int[] words);

    /** What must never be: says what is wrong with {@code words}, or {@code null}. */
    @Nullable
    String fault(int[] words);

    /** What must be when no thread can take a step any more: says what is wrong with {@code words}, or {@code null}. */
    @Nullable
    String faultAtEnd(int[] words);
}
