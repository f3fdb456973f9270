package dev.lanekeeper.engine.simulation.history;

import java.util.List;

/**
 * What a commit says to be done beyond its offset.
 *
 * @param offsets ascending; those that hold no message may be among them
 * @param leaderEpoch of messages of a later one it says nothing; negative if it speaks of all
 */
public record Ahead(List<Long> offsets, int leaderEpoch) {
    /** Says nothing. */
    public static final Ahead NOTHING = new Ahead(List.of(), -1);

    /** Whether it says that {@code message} is done. */
    boolean tells(Message message) {
        return offsets.contains(message.offset()) && (leaderEpoch < 0 || message.leaderEpoch() <= leaderEpoch);
    }

    /** The offset after the last of which it speaks; 0 if it says nothing. */
    long end() {
        return offsets.isEmpty() ? 0 : offsets.get(offsets.size() - 1) + 1;
    }
}
