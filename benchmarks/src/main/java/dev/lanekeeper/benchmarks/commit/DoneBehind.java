package dev.lanekeeper.benchmarks.commit;

/** A partition of which the first record is stuck and others behind it are done. Confined to one thread. */
public interface DoneBehind {
    /** One more is done, the next in line. */
    void done();

    /** What a commit says now of what is done ahead of its offset, as text. */
    String map();

    /** Whether a reader of {@code map} knows that the record is done, or that it is not. */
    boolean readsAsDone(String map, long offset);
}
