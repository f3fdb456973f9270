package dev.lanekeeper.engine.offset;

import java.util.Arrays;

/** Bytes written bit by bit, the highest first. Grows as needed. Not thread-safe. */
final class BitWriter {
    private byte[] bytes = new byte[256];
    private int size;
    private int freeBits; // of the last byte

    /** The lowest {@code count} bits of {@code value}, at most 64. */
    void bits(long value, int count) {
        for (int i = count - 1; i >= 0; i--) {
            bit((int) (value >>> i) & 1);
        }
    }

    void bit(int bit) {
        if (freeBits == 0) {
            if (size == bytes.length) {
                bytes = Arrays.copyOf(bytes, size * 2);
            }
            size++;
            freeBits = 8;
        }
        freeBits--;
        bytes[size - 1] |= (byte) (bit << freeBits);
    }

    void ones(long count) {
        for (long i = 0; i < count; i++) {
            bit(1);
        }
    }

    void zeros(long count) {
        for (long i = 0; i < count; i++) {
            bit(0);
        }
    }

    /** Seven bits to a byte, the lowest first. */
    void varint(long value) {
        long rest = value;
        while (rest > 0x7f) {
            bits((rest & 0x7f) | 0x80, 8);
            rest >>>= 7;
        }
        bits(rest, 8);
    }

    static int varintBytes(long value) {
        return value == 0 ? 1 : (Long.SIZE - Long.numberOfLeadingZeros(value) + 6) / 7;
    }

    /** What was written, with zeros in the free bits. */
    byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }
}
