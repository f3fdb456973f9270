package dev.lanekeeper.engine.offset;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads the {@link AheadMap maps} of one partition, as text for the metadata of a commit. Immutable.
 *
 * <p>In base64, as few characters as the best of the {@link Coding codings} gives:
 *
 * <pre>
 * magic 2 | version 1 | coding 1 | base 8 | place 4 | leader epoch 4 | end - base, varint | open, varint | coded | CRC-32C 4
 * </pre>
 *
 * <p>That is version 1. Where the topic's {@link Origin} is known, version 2 has it after the leader epoch, in 20 bytes, and
 * is written even if nothing is done ahead: so whoever reads an offset knows which topic it was committed for.
 *
 * <p>A map that is wrong loses records in silence, a map that is dropped repeats some. So a reader believes nothing that it
 * has not checked: the checksum over all bytes, the base against the offset it was committed with (tools that move offsets
 * carry the metadata along unchanged), the place against the partition it is read for, the numbers against each other.
 * Text that only looks broken is not mended.
 */
public final class AheadMapCodec {
    /** How many characters a broker takes, unless it is told otherwise ({@code offset.metadata.max.bytes}). */
    public static final int MAX_CHARACTERS = 4_096;

    private static final short MAGIC = 0x4c4b;
    private static final byte WITHOUT_ORIGIN = 1;
    private static final byte WITH_ORIGIN = 2;
    private static final int FIXED_BYTES = 20;
    private static final int ORIGIN_BYTES = 20;
    private static final int CHECKSUM_BYTES = 4;

    /** The fixed part without an origin, two varints of the longest kind allowed, the checksum. */
    static final int MAX_OVERHEAD_BYTES = FIXED_BYTES + 6 + 3 + CHECKSUM_BYTES;

    /** More than any engine lets be open in a partition; bounds what a reader allocates. */
    static final int MAX_OPEN = 1 << 20;

    private static final long MAX_LENGTH = 1L << 40;

    private static final List<Coding> CODINGS = codings();

    private final String where;
    private final int place;

    /** Of this partition. */
    public AheadMapCodec(String topic, int partition) {
        where = topic + "-" + partition;
        byte[] bytes = where.getBytes(StandardCharsets.UTF_8);
        place = checksum(bytes, bytes.length);
    }

    private static List<Coding> codings() {
        List<Coding> codings = new ArrayList<>(List.of(new BitsetCoding(), new RunsCoding()));
        for (int parameter = 0; parameter < RiceCoding.PARAMETERS; parameter++) {
            codings.add(new RiceCoding(parameter));
        }
        return List.copyOf(codings);
    }

    /**
     * What the metadata of a commit says.
     *
     * @param map what is done ahead; {@code null} for nothing
     * @param origin the topic it was made for; {@code null} if that was not known
     */
    public record Note(@Nullable AheadMap map, @Nullable Origin origin) {
        /** Says nothing. */
        public static final Note NONE = new Note(null, null);
    }

    /**
     * The map and the origin as text of at most so many characters; empty if nothing is done ahead and the origin is not known,
     * or if there is no room. Where all of the map doesn't fit, it is as much of its beginning as does: what is forgotten is
     * done again, no more.
     */
    public String write(AheadMap map, @Nullable Origin origin, int maxCharacters) {
        int overhead = MAX_OVERHEAD_BYTES + (origin == null ? 0 : ORIGIN_BYTES);
        long bits = (maxCharacters / 4 * 3L - overhead) * 8;
        AheadMap fitting = fitting(map.trimmed(), bits);
        if (bits < 0 || (origin == null && fitting.isEmpty())) {
            return "";
        }
        return Base64.getEncoder().withoutPadding().encodeToString(bytes(fitting, origin, smallest(fitting)));
    }

    private static AheadMap fitting(AheadMap map, long bits) {
        if (fits(map, bits)) {
            return map;
        }
        int fits = 0; // open offsets of a prefix that fits, and of one that doesn't
        int tooMany = map.openCount();
        while (tooMany - fits > 1) {
            int middle = (fits + tooMany) >>> 1;
            if (fits(map.prefix(middle), bits)) {
                fits = middle;
            } else {
                tooMany = middle;
            }
        }
        return map.prefix(fits);
    }

    private static boolean fits(AheadMap map, long bits) {
        return map.openCount() <= MAX_OPEN
                && map.end() - map.base() <= MAX_LENGTH
                && smallest(map).bits(map) <= bits;
    }

    private static Coding smallest(AheadMap map) {
        Coding best = CODINGS.get(0);
        long least = Long.MAX_VALUE;
        for (Coding coding : CODINGS) {
            long bits = coding.bits(map);
            if (bits < least) {
                best = coding;
                least = bits;
            }
        }
        return best;
    }

    private byte[] bytes(AheadMap map, @Nullable Origin origin, Coding coding) {
        BitWriter to = new BitWriter();
        to.bits(MAGIC, 16);
        to.bits(origin == null ? WITHOUT_ORIGIN : WITH_ORIGIN, 8);
        to.bits(coding.id(), 8);
        to.bits(map.base(), 64);
        to.bits(place, 32);
        to.bits(map.leaderEpoch(), 32);
        if (origin != null) {
            to.bits(origin.cluster(), 32);
            to.bits(origin.idHigh(), 64);
            to.bits(origin.idLow(), 64);
        }
        to.varint(map.end() - map.base());
        to.varint(map.openCount());
        coding.write(map, to);
        byte[] body = to.toBytes();
        return ByteBuffer.allocate(body.length + CHECKSUM_BYTES)
                .put(body)
                .putInt(checksum(body, body.length))
                .array();
    }

    /**
     * What was committed with {@code committed}: nothing if {@code metadata} is empty.
     *
     * @throws UnreadableMapException if it is anything but a text of this partition that belongs to that offset
     */
    public Note note(String metadata, long committed) throws UnreadableMapException {
        if (metadata.isEmpty()) {
            return Note.NONE;
        }
        byte[] bytes = decode(metadata);
        ByteBuffer head = ByteBuffer.wrap(bytes);
        require(
                bytes.length >= FIXED_BYTES + 2 + CHECKSUM_BYTES && head.getShort() == MAGIC,
                "somebody else has written it");
        byte version = head.get();
        require(
                version == WITHOUT_ORIGIN || version == WITH_ORIGIN,
                "its version is " + version + ", known are " + WITHOUT_ORIGIN + " and " + WITH_ORIGIN);
        int fixed = FIXED_BYTES + (version == WITH_ORIGIN ? ORIGIN_BYTES : 0);
        require(bytes.length >= fixed + 2 + CHECKSUM_BYTES, "it is cut short");
        int body = bytes.length - CHECKSUM_BYTES;
        require(head.getInt(body) == checksum(bytes, body), "its checksum is wrong");
        Coding coding = coding(head.get() & 0xff);
        long base = head.getLong();
        require(base == committed, "it was committed with offset " + base);
        require(head.getInt() == place, "it is not of " + where);
        int leaderEpoch = head.getInt();
        Origin origin = version == WITH_ORIGIN ? new Origin(head.getInt(), head.getLong(), head.getLong()) : null;
        BitReader rest = new BitReader(bytes, fixed, body);
        long end = base + bounded(rest.varint(), MAX_LENGTH, "length");
        long[] open = new long[(int) bounded(rest.varint(), MAX_OPEN, "count")];
        coding.read(rest, base, open);
        rest.requireEnd();
        requireAscending(open, end);
        AheadMap map = new AheadMap(base, end, open, leaderEpoch);
        return new Note(map.isEmpty() ? null : map, origin);
    }

    private static byte[] decode(String metadata) throws UnreadableMapException {
        require(metadata.length() <= MAX_CHARACTERS, "it has " + metadata.length() + " characters");
        try {
            return Base64.getDecoder().decode(metadata);
        } catch (IllegalArgumentException e) {
            throw new UnreadableMapException("somebody else has written it");
        }
    }

    private static Coding coding(int id) throws UnreadableMapException {
        for (Coding coding : CODINGS) {
            if (coding.id() == id) {
                return coding;
            }
        }
        throw new UnreadableMapException("its coding " + id + " is not known");
    }

    private static long bounded(long value, long most, String what) throws UnreadableMapException {
        require(value <= most, "its " + what + " is " + value);
        return value;
    }

    private static void requireAscending(long[] open, long end) throws UnreadableMapException {
        for (int i = 0; i < open.length; i++) {
            require(open[i] < end && (i == 0 || open[i] > open[i - 1]), "its offsets have no sense");
        }
    }

    private static void require(boolean kept, String reason) throws UnreadableMapException {
        if (!kept) {
            throw new UnreadableMapException(reason);
        }
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, length);
        return (int) checksum.getValue();
    }
}
