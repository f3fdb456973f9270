package dev.lanekeeper.benchmarks.commit;

import java.util.Arrays;
import java.util.Base64;
import java.util.BitSet;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** A bit for each offset from the one that is stuck to the last that is done. */
final class DoneBits implements DoneBehind {
    private final int level;
    private final BitSet done = new BitSet();

    /** The offset that is delivered next. */
    private int next = 1;

    /** {@code level} of compression, as {@link Deflater} has it. */
    DoneBits(int level) {
        this.level = level;
    }

    @Override
    public void done() {
        done.set(next++);
    }

    @Override
    public String map() {
        byte[] bytes = done.toByteArray();
        return Base64.getEncoder().encodeToString(level == Deflater.NO_COMPRESSION ? bytes : deflated(bytes));
    }

    private byte[] deflated(byte[] bytes) {
        Deflater deflater = new Deflater(level);
        try {
            deflater.setInput(bytes);
            deflater.finish();
            byte[] room = new byte[bytes.length + 64]; // for bytes that can't be compressed
            int length = deflater.deflate(room);
            return Arrays.copyOf(room, length);
        } finally {
            deflater.end();
        }
    }

    @Override
    public boolean readsAsDone(String map, long offset) {
        byte[] bytes = Base64.getDecoder().decode(map);
        return BitSet.valueOf(level == Deflater.NO_COMPRESSION ? bytes : inflated(bytes))
                .get((int) offset);
    }

    private byte[] inflated(byte[] bytes) {
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(bytes);
            byte[] room = new byte[next / Byte.SIZE + 1];
            int length = inflater.inflate(room);
            return Arrays.copyOf(room, length);
        } catch (DataFormatException e) {
            throw new IllegalStateException("it was deflated just now", e);
        } finally {
            inflater.end();
        }
    }
}
