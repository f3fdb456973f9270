package dev.lanekeeper.engine.offset;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What may be found in the metadata of a commit instead of the map that belongs there, and the one demand on whoever reads
 * it: that nothing is taken for done that is not.
 */
final class HostileMaps {
    /** A reader: the real one, or one that leaves a check out. */
    interface Reader {
        @Nullable
        AheadMap read(AheadMapCodec codec, String metadata, long committed) throws UnreadableMapException;
    }

    private static final int HEAD_BASE = 4;
    private static final int HEAD_PLACE = 12;

    private final Reader reader;
    private final Random random;
    private int believed;

    HostileMaps(Reader reader, Random random) {
        this.reader = reader;
        this.random = random;
    }

    /** How many were believed, rightly. */
    int believed() {
        return believed;
    }

    /** Makes a true map, does something to it, and has it read. */
    void round() {
        long base = random.nextInt(1_000);
        AheadMap truth = map(base);
        AheadMapCodec codec = new AheadMapCodec("jobs", 0);
        Origin origin =
                random.nextBoolean() ? null : new Origin(random.nextInt(), random.nextLong(), random.nextLong());
        String text = codec.write(truth, origin, AheadMapCodec.MAX_CHARACTERS);
        AheadMapCodec elsewhere = codec;
        long committed = base;
        AheadMap heldAgainst = truth;
        switch (random.nextInt(8)) {
            case 0 -> text = flipped(text);
            case 1 -> text = text.substring(0, random.nextInt(text.length() + 1));
            case 2 -> text = noise();
            case 3 -> text = spliced(text, codec.write(map(base), origin, AheadMapCodec.MAX_CHARACTERS));
            case 4 -> { // a tool has moved the offset and kept the text
                committed = base + random.nextInt(1, 50);
                heldAgainst = map(committed);
            }
            case 5 -> { // or copied it to another partition
                elsewhere = new AheadMapCodec("jobs", 1);
                heldAgainst = map(base);
            }
            case 6 -> text = text + text;
            default -> {} // the truth is believed
        }
        check(elsewhere, text, committed, heldAgainst);
    }

    private void check(AheadMapCodec codec, String text, long committed, AheadMap truth) {
        AheadMap read;
        try {
            read = reader.read(codec, text, committed);
        } catch (UnreadableMapException e) {
            return;
        }
        if (read == null) {
            return;
        }
        believed++;
        for (long offset = committed; offset < committed + 3_000; offset++) {
            if (read.done(offset) && !truth.done(offset)) {
                throw new AssertionError(offset + " is taken for done, from " + text + " with offset " + committed);
            }
        }
    }

    private AheadMap map(long base) {
        long[] open = new long[random.nextInt(1, 60)];
        long next = base;
        int spread = random.nextInt(1, 40);
        for (int i = 0; i < open.length; i++) {
            next += i == 0 ? 0 : random.nextInt(spread);
            open[i] = next++;
        }
        return new AheadMap(base, next + random.nextInt(1, 20), open, 3);
    }

    private String flipped(String text) {
        byte[] bytes = bytes(text);
        for (int flips = random.nextInt(1, 4); flips > 0; flips--) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return text(bytes);
    }

    private String noise() {
        byte[] bytes = new byte[random.nextInt(200)];
        random.nextBytes(bytes);
        return random.nextBoolean() ? text(bytes) : new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1);
    }

    private String spliced(String one, String other) {
        byte[] bytes = bytes(one);
        byte[] from = bytes(other);
        int length = Math.min(bytes.length, from.length);
        int at = random.nextInt(length);
        System.arraycopy(from, at, bytes, at, length - at);
        String spliced = text(bytes);
        return spliced.equals(other) ? noise() : spliced; // another true map is not what this is about
    }

    static String withByte(String text, int index, int value) {
        byte[] bytes = bytes(text);
        bytes[index] = (byte) value;
        return text(bytes);
    }

    /** With the checksum that belongs to the rest, as if nobody looked at it. */
    static String sealed(String text) {
        byte[] bytes = bytes(text);
        if (bytes.length < 4) {
            return text;
        }
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, bytes.length - 4);
        ByteBuffer.wrap(bytes).putInt(bytes.length - 4, (int) checksum.getValue());
        return text(bytes);
    }

    /** As if it had been committed with this offset. */
    static String rebased(String text, long base) {
        byte[] bytes = bytes(text);
        if (bytes.length < HEAD_PLACE) {
            return text;
        }
        ByteBuffer.wrap(bytes).putLong(HEAD_BASE, base);
        return sealed(text(bytes));
    }

    /** As if it were of the partition that {@code other} is of. */
    static String replaced(String text, String other) {
        byte[] bytes = bytes(text);
        if (bytes.length < HEAD_PLACE + 4) {
            return text;
        }
        System.arraycopy(bytes(other), HEAD_PLACE, bytes, HEAD_PLACE, 4);
        return sealed(text(bytes));
    }

    /** Empty if it isn't base64. */
    private static byte[] bytes(String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    private static String text(byte[] bytes) {
        return Base64.getEncoder().withoutPadding().encodeToString(Arrays.copyOf(bytes, bytes.length));
    }
}
