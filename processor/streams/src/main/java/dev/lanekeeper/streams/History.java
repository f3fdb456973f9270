package dev.lanekeeper.streams;

import java.nio.ByteBuffer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Which records had an outcome already. Confined to its task.
 *
 * <p>A repeat must be told from a latecomer for ever, and whether it is one may depend only on the order of the outcomes,
 * not on how far the other topic has been read. So every record leaves a mark of four bytes: pages of {@value #SLOTS}
 * offsets hold the fingerprint of the customer that had the outcome. What a page cannot say lies in {@code strays}: the
 * runs that wrote an outcome of the nameless customer, of a record that two customers had an outcome for (a bulk
 * command, or a mistake), or once more.
 */
final class History {
    static final int SLOTS = 64;

    private final KeyValueStore<Bytes, byte[]> pages;
    private final KeyValueStore<Bytes, byte[]> strays;

    History(KeyValueStore<Bytes, byte[]> pages, KeyValueStore<Bytes, byte[]> strays) {
        this.pages = pages;
        this.strays = strays;
    }

    /** Remembers the outcome; whether it is the first of this record for this customer. */
    boolean first(Customer customer, Origin origin, Run run) {
        if (!customer.isNamed()) {
            return firstStray(customer, origin, run);
        }
        Bytes key = pageKey(origin);
        byte[] stored = pages.get(key);
        // a copy, because an in-memory store hands out the array it holds
        byte[] page = stored == null ? new byte[SLOTS * Integer.BYTES] : stored.clone();
        int at = (int) (origin.offset() % SLOTS) * Integer.BYTES;
        int seen = ByteBuffer.wrap(page).getInt(at);
        if (seen == customer.fingerprint()) {
            return false;
        }
        if (seen != 0) {
            return firstStray(customer, origin, run);
        }
        ByteBuffer.wrap(page).putInt(at, customer.fingerprint());
        pages.put(key, page);
        return true;
    }

    /** Remembers a repeat; whether {@code run} is known to have written an outcome of this record before. */
    boolean repeatedBy(Run run, Customer customer, Origin origin) {
        Bytes key = customer.storeKey(origin);
        byte[] runs = strays.get(key);
        if (runs != null && contains(runs, run)) {
            return true;
        }
        byte[] added = new StateWriter().put(run).bytes();
        strays.put(key, runs == null ? added : joined(runs, added));
        return false;
    }

    private boolean firstStray(Customer customer, Origin origin, Run run) {
        Bytes key = customer.storeKey(origin);
        if (strays.get(key) != null) {
            return false;
        }
        strays.put(key, new StateWriter().put(run).bytes());
        return true;
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
