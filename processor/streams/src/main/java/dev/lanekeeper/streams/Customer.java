package dev.lanekeeper.streams;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A customer as the record's key names it, in bytes: a key need not be text. No key and an empty key are the nameless
 * customer, whose records have no order among themselves. Immutable; also makes the keys of the stores.
 */
final class Customer {
    private final byte[] key;

    private Customer(byte[] key) {
        this.key = key;
    }

    static Customer of(byte @Nullable [] recordKey) {
        return new Customer(recordKey == null ? new byte[0] : recordKey);
    }

    boolean isNamed() {
        return key.length > 0;
    }

    /** The key of a record about this customer. */
    byte @Nullable [] recordKey() {
        return isNamed() ? key : null;
    }

    /** Never 0, which in {@link History} means that nobody was there. */
    int fingerprint() {
        CRC32C crc = new CRC32C();
        crc.update(key, 0, key.length);
        int value = (int) crc.getValue();
        return value == 0 ? 1 : value;
    }

    Bytes storeKey() {
        return Bytes.wrap(key);
    }

    /** The key of what belongs to this customer and one partition. */
    Bytes storeKey(String topic, int partition) {
        return Bytes.wrap(new StateWriter().put(key).put(topic).put(partition).bytes());
    }

    /** The key of what belongs to this customer and one record. */
    Bytes storeKey(Origin origin) {
        return Bytes.wrap(new StateWriter()
                .put(key)
                .put(origin.topic())
                .put(origin.partition())
                .put(origin.offset())
                .bytes());
    }

    /** As text for a reader; bytes that are no text show as replacement characters. */
    String text() {
        return new String(key, StandardCharsets.UTF_8);
    }
}
