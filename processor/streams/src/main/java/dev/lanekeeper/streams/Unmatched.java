package dev.lanekeeper.streams;

import dev.lanekeeper.streams.Finding.Kind;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Records sent that have no outcome yet, and outcomes whose record has not been read yet. Either half may come first; the
 * second deletes the first. Confined to its task.
 */
final class Unmatched {
    private static final byte SENT = 1;
    private static final byte OUTCOME = 2;

    private final KeyValueStore<Bytes, byte[]> store;

    Unmatched(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    /**
     * One half, waiting.
     *
     * @param run who wrote the outcome; {@code null} for a record sent
     * @param sinceMs when it came, milliseconds of the wall clock
     * @param reported whether it has been called a finding already
     */
    record Half(Customer customer, Origin origin, @Nullable Run run, long sinceMs, boolean reported) {
        Kind kind() {
            return run == null ? Kind.LOSS : Kind.UNKNOWN;
        }

        Finding finding() {
            String detail = run == null ? "sent, but it has no outcome" : "an outcome of a record that was not sent";
            return new Finding(
                    kind(),
                    customer.text(),
                    origin.topic(),
                    origin.partition(),
                    origin.offset(),
                    run == null ? null : run.instance(),
                    run == null ? null : run.epoch(),
                    detail);
        }

        byte[] bytes() {
            StateWriter writer = new StateWriter()
                    .put(run == null ? SENT : OUTCOME)
                    .put(sinceMs)
                    .put((byte) (reported ? 1 : 0));
            return run == null ? writer.bytes() : writer.put(run).bytes();
        }

        static Half of(Bytes key, byte[] value) {
            StateReader keyReader = new StateReader(key.get());
            Customer customer = Customer.of(keyReader.bytes());
            Origin origin = new Origin(keyReader.text(), keyReader.number(), keyReader.longNumber());
            StateReader reader = new StateReader(value);
            byte side = reader.flag();
            long sinceMs = reader.longNumber();
            boolean reported = reader.flag() == 1;
            return new Half(customer, origin, side == SENT ? null : reader.run(), sinceMs, reported);
        }
    }

    /** Puts {@code half} where its other half is looked for; that one if it is there already, now deleted. */
    @Nullable
    Half meet(Half half) {
        Bytes key = half.customer().storeKey(half.origin());
        byte[] waiting = store.get(key);
        if (waiting == null) {
            store.put(key, half.bytes());
            return null;
        }
        store.delete(key);
        return Half.of(key, waiting);
    }

    /** What waits since {@code latestMs} or longer, marked as reported from now on; as it was before. */
    List<Half> overdue(long latestMs) {
        List<Half> overdue = new ArrayList<>();
        try (KeyValueIterator<Bytes, byte[]> halves = store.all()) {
            while (halves.hasNext()) {
                KeyValue<Bytes, byte[]> row = halves.next();
                Half half = Half.of(row.key, row.value);
                if (half.sinceMs() <= latestMs) {
                    overdue.add(half);
                }
            }
        }
        for (Half half : overdue) {
            if (!half.reported()) {
                Half reported = new Half(half.customer(), half.origin(), half.run(), half.sinceMs(), true);
                store.put(half.customer().storeKey(half.origin()), reported.bytes());
            }
        }
        return overdue;
    }
}
