package dev.lanekeeper.engine.offset;

/** Reads what a {@link BitWriter} wrote, or anything else: past the end it throws. Not thread-safe. */
final class BitReader {
    private final byte[] bytes;
    private final long endBit;
    private long next;

    /** From byte {@code from} to before byte {@code to}. */
    BitReader(byte[] bytes, int from, int to) {
        this.bytes = bytes;
        this.next = from * 8L;
        this.endBit = to * 8L;
    }

    int bit() throws UnreadableMapException {
        if (next >= endBit) {
            throw new UnreadableMapException("it is too short");
        }
        int bit = (bytes[(int) (next >> 3)] >> (7 - (int) (next & 7))) & 1;
        next++;
        return bit;
    }

    /** At most 63 bits. */
    long bits(int count) throws UnreadableMapException {
        long value = 0;
        for (int i = 0; i < count; i++) {
            value = (value << 1) | bit();
        }
        return value;
    }

    /** A varint below 2^63, in no more than nine bytes. */
    long varint() throws UnreadableMapException {
        long value = 0;
        for (int shift = 0; shift < 63; shift += 7) {
            long part = bits(8);
            value |= (part & 0x7f) << shift;
            if (part < 0x80) {
                return value;
            }
        }
        throw new UnreadableMapException("a number in it is too long");
    }

    /** Nothing may follow but the zeros that fill the last byte. */
    void requireEnd() throws UnreadableMapException {
        if (endBit - next >= 8) {
            throw new UnreadableMapException("it is too long");
        }
        while (next < endBit) {
            if (bit() != 0) {
                throw new UnreadableMapException("it does not end with zeros");
            }
        }
    }
}
