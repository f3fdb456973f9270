package dev.lanekeeper.streams;

import java.nio.ByteBuffer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Which records had an outcome already, and by whom. Confined to its task.
 *
 * <p>A repeat must be told from a latecomer for ever, and whether it is one may depend only on the order of the outcomes,
 * not on how far the other topic has been read. So every record leaves a mark of eight bytes: pages of {@value #SLOTS}
 * offsets hold the fingerprints of the customer and of the run that had the outcome. What a page cannot say lies in
 * {@code strays}: the runs that wrote an outcome of the nameless customer, of a record that two customers had an outcome
 * for (a bulk command, or a mistake), or once more.
 */
final class History {
    static final int SLOTS = 64;
    private static final int SLOT_BYTES = 2 * Integer.BYTES;

    private final KeyValueStore<Bytes, byte[]> pages;
    private final KeyValueStore<Bytes, byte[]> strays;

    History(KeyValueStore<Bytes, byte[]> pages, KeyValueStore<Bytes, byte[]> strays) {
        this.pages = pages;
        this.strays = strays;
    }

    /** What an outcome is to its record. */
    enum Place {
        /** The first outcome of the record for this customer. */
        FIRST,
        /** A further one, the first by this run. */
        REPEAT,
        /** A further one by this run. */
        REPEAT_BY_SAME_RUN
    }

    /** Says what the outcome is, and remembers it. */
    Place add(Customer customer, Origin origin, Run run) {
        if (!customer.isNamed()) {
            return addStray(customer, origin, run, Place.FIRST);
        }
        Bytes key = pageKey(origin);
        byte[] stored = pages.get(key);
        // a copy, because an in-memory store hands out the array it holds
        byte[] page = stored == null ? new byte[SLOTS * SLOT_BYTES] : stored.clone();
        ByteBuffer slot = ByteBuffer.wrap(page, (int) (origin.offset() % SLOTS) * SLOT_BYTES, SLOT_BYTES)
                .slice();
        if (slot.getInt(0) == 0) {
            slot.putInt(customer.fingerprint()).putInt(run.fingerprint());
            pages.put(key, page);
            return Place.FIRST;
        }
        if (slot.getInt(0) != customer.fingerprint()) {
            return addStray(customer, origin, run, Place.FIRST);
        }
        return slot.getInt(Integer.BYTES) == run.fingerprint()
                ? Place.REPEAT_BY_SAME_RUN
                : addStray(customer, origin, run, Place.REPEAT);
    }

    /** As {@link #add}; without a trace of the record among the strays it is {@code otherwise}. */
    private Place addStray(Customer customer, Origin origin, Run run, Place otherwise) {
        Bytes key = customer.storeKey(origin);
        byte[] runs = strays.get(key);
        byte[] added = new StateWriter().put(run).bytes();
        if (runs == null) {
            strays.put(key, added);
            return otherwise;
        }
        if (contains(runs, run)) {
            return Place.REPEAT_BY_SAME_RUN;
        }
        strays.put(key, joined(runs, added));
        return Place.REPEAT;
    }

    private static boolean contains(byte[] runs, Run run) {
        StateReader reader = new StateReader(runs);
        while (reader.hasMore()) {
            if (reader.run().equals(run)) {
                return true;
            }
        }
        return false;
    }

    private static byte[] joined(byte[] first, byte[] second) {
        return ByteBuffer.allocate(first.length + second.length)
                .put(first)
                .put(second)
                .array();
    }

    private static Bytes pageKey(Origin origin) {
        return Bytes.wrap(new StateWriter()
                .put(origin.topic())
                .put(origin.partition())
                .put(origin.offset() / SLOTS)
                .bytes());
    }
}
