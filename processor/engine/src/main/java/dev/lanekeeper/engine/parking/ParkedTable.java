package dev.lanekeeper.engine.parking;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/*
 * Which customers of one source partition are parked
 * --------------------------------------------------
 * A customer is parked while there are records of theirs in the parking topic that nobody has taken out. There is no other
 * state, so none can disagree with it: parking a record is one write, and so is taking it out.
 *
 * Of one customer, records are parked in the order of their offsets and taken out in that order too, since both are done by
 * whoever holds the customer's lane. So what is parked is all of the customer's records from `first` to `last`, and two
 * numbers say it. From this follows what makes a crash harmless: a record at or below `last` that comes again, because its
 * offset was not committed, is in the topic already (or was taken out since) and is done; one above `last` is appended.
 *
 * The topic is compacted: a record that was taken out vanishes sooner or later, and so does, a day after it, what took it
 * out. The fold below gives the same for every state of that cleaning, because the second never goes before the first.
 */

/**
 * The parked customers of one source partition. Thread-safe; a customer's entry is written by whoever holds the lane, and by
 * the one that reads the topic.
 */
public final class ParkedTable {
    private final Map<Bytes, Entry> entries = new ConcurrentHashMap<>();

    /**
     * One customer.
     *
     * @param laneKey whose records
     * @param partition of the parking topic that they are in
     * @param scanFrom an offset there that is not above that of the first
     * @param first an offset in the source partition that is not above that of the first; that of the first if nothing was
     *     taken out yet
     * @param last offset of the last there
     * @param records how many; a little too few, and at least 1, if the topic was cleaned during a replay
     * @param cause why the first was parked
     */
    public record Entry(
            Bytes laneKey, int partition, long scanFrom, long first, long last, long records, String cause) {}

    /** The customer's entry; {@code null} if nothing of theirs is parked. */
    public @Nullable Entry of(Bytes laneKey) {
        return entries.isEmpty() ? null : entries.get(laneKey);
    }

    /** All of them, in no order. */
    public List<Entry> all() {
        return List.copyOf(entries.values());
    }

    /** Folds one line of the topic in. */
    public void read(ParkedRecords.Line line, int partition, long position) {
        if (line.gone()) {
            takenOut(line.laneKey(), line.offset());
        } else {
            parked(line.laneKey(), line.offset(), partition, position, line.cause());
        }
    }

    /**
     * A record is in the topic.
     *
     * @param scanFrom an offset of that partition not above the record's
     */
    public synchronized void parked(Bytes laneKey, long offset, int partition, long scanFrom, String cause) {
        Entry entry = entries.get(laneKey);
        if (entry == null) {
            entries.put(laneKey, new Entry(laneKey, partition, scanFrom, offset, offset, 1, cause));
        } else if (offset > entry.last()) {
            entries.put(
                    laneKey,
                    new Entry(
                            laneKey,
                            entry.partition(),
                            entry.scanFrom(),
                            entry.first(),
                            offset,
                            entry.records() + 1,
                            entry.cause()));
        }
    }

    /** A record was taken out, and so were all before it. */
    public synchronized void takenOut(Bytes laneKey, long offset) {
        Entry entry = entries.get(laneKey);
        if (entry == null || offset < entry.first()) {
            return;
        }
        if (offset >= entry.last()) {
            entries.remove(laneKey);
        } else {
            entries.put(
                    laneKey,
                    new Entry(
                            laneKey,
                            entry.partition(),
                            entry.scanFrom(),
                            offset + 1,
                            entry.last(),
                            Math.max(1, entry.records() - 1),
                            entry.cause()));
        }
    }
}
