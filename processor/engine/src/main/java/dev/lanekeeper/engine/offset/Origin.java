package dev.lanekeeper.engine.offset;

/**
 * Which topic a commit was made for, beyond its name: one that is deleted and made anew has another id, and one of the same
 * name in another cluster is another topic. Immutable.
 *
 * @param cluster a digest of the cluster's id
 * @param idHigh the upper half of the topic's id
 * @param idLow the lower half
 */
public record Origin(int cluster, long idHigh, long idLow) {
    /**
     * Whether {@code now} has taken its place: in the same cluster, with another id. Of another cluster nothing follows, since
     * offsets may have been carried over on purpose.
     */
    public boolean replacedBy(Origin now) {
        return cluster == now.cluster && !equals(now);
    }
}
