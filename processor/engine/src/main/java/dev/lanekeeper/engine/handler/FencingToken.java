package dev.lanekeeper.engine.handler;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Where in a stream a record stands, for whatever a handler writes to. A sink that keeps the last token of each customer
 * beside what it stores, and takes a write only if its token {@link #supersedes} that one, has every effect once: a record
 * that is delivered again comes with the token that is stored already, and an instance that was cut off, or a handler that
 * was given up, comes with an older one.
 *
 * <p>In SQL, with the customer's row locked by the statement itself:
 *
 * <pre>
 *   UPDATE account SET balance = balance + ?, incarnation = ?, last_offset = ?
 *    WHERE customer = ? AND (incarnation &lt; ? OR (incarnation = ? AND last_offset &lt; ?))
 * </pre>
 *
 * <p>A customer's records are in one partition, so their offsets alone give the order, while the stream stays what it is.
 * When offsets begin anew or customers change partition (offsets were reset to run records again, the topic was made anew,
 * partitions were added), the operator raises the incarnation, and the first token of the new one supersedes all of the
 * old. A customer with records in several topics needs a last token for each.
 *
 * <p>The epoch of the assignment has no part in this: a record that is delivered again has a higher one, and would pass.
 *
 * @param incarnation which life of the stream, as configured; 0 by default
 * @param topic of the record
 * @param partition of the record
 * @param offset of the record
 */
public record FencingToken(int incarnation, String topic, int partition, long offset)
        implements Comparable<FencingToken> {
    private static final Comparator<FencingToken> ORDER = Comparator.comparingInt(FencingToken::incarnation)
            .thenComparingLong(FencingToken::offset)
            .thenComparing(FencingToken::topic)
            .thenComparingInt(FencingToken::partition);

    /**
     * Whether a write with this token is newer than the last one that the sink took for the customer.
     *
     * @param last {@code null} if there was none
     * @throws IllegalArgumentException if the two are of different partitions in one incarnation: those have no order
     */
    public boolean supersedes(@Nullable FencingToken last) {
        if (last == null || incarnation != last.incarnation) {
            return last == null || incarnation > last.incarnation;
        }
        if (partition != last.partition || !topic.equals(last.topic)) {
            throw new IllegalArgumentException("tokens of two partitions have no order within one incarnation: " + this
                    + " and " + last + "; raise the incarnation when customers change partition");
        }
        return offset > last.offset;
    }

    /** By incarnation, then by offset; meaningful among tokens of one partition. */
    @Override
    public int compareTo(FencingToken other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return incarnation + ":" + topic + "-" + partition + "@" + offset;
    }
}
