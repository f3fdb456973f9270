package dev.lanekeeper.benchmarks.peers;

import java.nio.ByteBuffer;

/**
 * What a record's value says of itself; the rest of its 200 bytes is filling.
 *
 * @param key number of the key
 * @param position among the records of the key, from 0
 * @param index among all records
 * @param dueNanos when it was to be sent, on the machine's monotonic clock
 */
record Stamp(int key, int position, int index, long dueNanos) {
    private static final int SIZE = 200;

    byte[] value() {
        byte[] value = new byte[SIZE];
        ByteBuffer.wrap(value).putInt(key).putInt(position).putInt(index).putLong(dueNanos);
        for (int i = 20; i < SIZE; i++) {
            value[i] = (byte) (index * 31 + i * 7);
        }
        return value;
    }

    static Stamp of(byte[] value) {
        ByteBuffer buffer = ByteBuffer.wrap(value);
        return new Stamp(buffer.getInt(), buffer.getInt(), buffer.getInt(), buffer.getLong());
    }
}
