package dev.lanekeeper.engine.offset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.testkit.Seed;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written is read back, in few characters, and no more is ever claimed. PC#35, PC#37, PC#52, PC#329, f#183, f#480. */
@ExtendWith(Seed.class)
class AheadMapCodecTest {
    private static final long BASE = 1_234_567_890_123L;

    private final AheadMapCodec codec = new AheadMapCodec("jobs", 3);

    static final List<Coding> CODINGS =
            List.of(new BitsetCoding(), new RunsCoding(), new RiceCoding(0), new RiceCoding(5), new RiceCoding(15));

    @ParameterizedTest
    @FieldSource("CODINGS")
    void eachCodingReadsWhatItWroteInAsManyBitsAsItSaid(Coding coding, Random random) throws UnreadableMapException {
        for (int round = 0; round < 300; round++) {
            AheadMap map = random(random, random.nextInt(400));
            BitWriter to = new BitWriter();
            coding.write(map, to);
            byte[] bytes = to.toBytes();
            assertThat((coding.bits(map) + 7) / 8).isEqualTo(bytes.length);
            BitReader from = new BitReader(bytes, 0, bytes.length);
            long[] read = new long[map.openCount()];
            coding.read(from, map.base(), read);
            from.requireEnd();
            assertThat(read).isEqualTo(opens(map));
        }
    }

    @RepeatedTest(20)
    void whatFitsIsReadBackUnchanged(Random random) throws UnreadableMapException {
        AheadMap map = random(random, random.nextInt(500));
        String text = codec.write(map, null, AheadMapCodec.MAX_CHARACTERS);
        assertThat(text).hasSizeLessThanOrEqualTo(AheadMapCodec.MAX_CHARACTERS);
        AheadMap read = codec.note(text, BASE).map();
        if (map.trimmed().isEmpty()) {
            assertThat(read).isNull();
        } else {
            assertThat(read).isNotNull();
            assertThat(opens(read)).isEqualTo(opens(map.trimmed()));
            assertThat(read.end()).isEqualTo(map.trimmed().end());
            assertThat(read.leaderEpoch()).isEqualTo(map.leaderEpoch());
        }
    }

    /** Edge case 36: a window of 24,000 always fits, whatever is done in it. */
    @ParameterizedTest
    @ValueSource(doubles = {0.001, 0.05, 0.3, 0.5, 0.7, 0.95})
    void aWindowAlwaysFits(double share, Random random) throws UnreadableMapException {
        long[] open = LongStream.range(0, 24_000)
                .filter(i -> random.nextDouble() < share)
                .map(i -> BASE + i)
                .toArray();
        AheadMap read = codec.note(
                        codec.write(new AheadMap(BASE, BASE + 24_001, open, 1), null, AheadMapCodec.MAX_CHARACTERS),
                        BASE)
                .map();
        assertThat(read).isNotNull();
        assertThat(opens(read)).isEqualTo(open);
    }

    /** PC#647 forgets all of what doesn't fit; this forgets what is furthest ahead. */
    @ParameterizedTest
    @ValueSource(ints = {44, 48, 60, 100, 1_000, 4_096})
    void ofWhatDoesNotFitTheBeginningIsKept(int characters, Random random) throws UnreadableMapException {
        AheadMap map = random(random, 20_000);
        String text = codec.write(map, null, characters);
        assertThat(text).hasSizeLessThanOrEqualTo(characters);
        if (text.isEmpty()) {
            assertThat(characters).isLessThan(60);
            return;
        }
        AheadMap read = codec.note(text, BASE).map();
        assertThat(read).isNotNull();
        assertThat(read.openCount()).isLessThan(map.openCount());
        for (long offset = BASE; offset < read.end(); offset++) {
            assertThat(read.done(offset)).isEqualTo(map.done(offset));
        }
        int wasted = characters - text.length();
        assertThat(wasted).as("characters left unused").isLessThan(40);
    }

    @Test
    void withoutRoomThereIsNoMap() {
        AheadMap map = new AheadMap(BASE, BASE + 100, new long[] {BASE}, 1);
        assertThat(codec.write(map, null, 0)).isEmpty();
        assertThat(codec.write(map, null, 20)).isEmpty();
    }

    /** Where nothing is done ahead, a commit is as anybody's; trailing records that are open need no map either. */
    @Test
    void nothingDoneAheadIsWrittenAsNothing() throws UnreadableMapException {
        assertThat(codec.write(new AheadMap(BASE, BASE, new long[0], 1), null, 4_096))
                .isEmpty();
        assertThat(codec.write(new AheadMap(BASE, BASE + 2, new long[] {BASE, BASE + 1}, 1), null, 4_096))
                .isEmpty();
        assertThat(codec.note("", BASE).map()).isNull();
    }

    /** Whoever reads an offset learns which topic it was committed for, whether anything is done ahead or not. */
    @RepeatedTest(20)
    void theOriginIsReadBackWithAndWithoutAMap(Random random) throws UnreadableMapException {
        Origin origin = new Origin(random.nextInt(), random.nextLong(), random.nextLong());
        AheadMap map = random(random, random.nextInt(500));
        AheadMapCodec.Note note = codec.note(codec.write(map, origin, AheadMapCodec.MAX_CHARACTERS), BASE);
        assertThat(note.origin()).isEqualTo(origin);
        AheadMap plain = codec.note(codec.write(map, null, AheadMapCodec.MAX_CHARACTERS), BASE)
                .map();
        AheadMap read = note.map();
        assertThat(read == null).isEqualTo(plain == null);
        if (plain != null && read != null) {
            assertThat(opens(read)).isEqualTo(opens(plain));
            assertThat(read.end()).isEqualTo(plain.end());
        }

        String alone = codec.write(new AheadMap(BASE, BASE, new long[0], 1), origin, AheadMapCodec.MAX_CHARACTERS);
        assertThat(alone).hasSize(62);
        assertThat(codec.note(alone, BASE)).isEqualTo(new AheadMapCodec.Note(null, origin));
        assertThat(codec.write(map, origin, 20)).as("no room").isEmpty();
    }

    /** Written before there were origins, or where none was known: byte for byte as ever. The first is a bitset. */
    @Test
    void textsWithoutAnOriginAreReadAsBefore() throws UnreadableMapException {
        AheadMapCodec.Note note = codec.note("TEsBAQAAAR9x+wTLxfWekQAAAAFkAoEi7vEi", BASE);
        assertThat(note.origin()).isNull();
        AheadMap read = note.map();
        assertThat(read).isNotNull();
        assertThat(opens(read)).containsExactly(BASE, BASE + 7);
        assertThat(read.end()).isEqualTo(BASE + 100);
        AheadMap same = new AheadMap(BASE, BASE + 100, new long[] {BASE, BASE + 7}, 1);
        assertThat(codec.write(same, null, AheadMapCodec.MAX_CHARACTERS))
                .isEqualTo("TEsBEQAAAR9x+wTLxfWekQAAAAFkAjiSQrjk");
    }

    /** The window fits beside an origin too. */
    @Test
    void aWindowFitsBesideAnOrigin(Random random) throws UnreadableMapException {
        Origin origin = new Origin(1, 2, 3);
        long[] open = LongStream.range(0, 24_000)
                .filter(i -> random.nextBoolean())
                .map(i -> BASE + i)
                .toArray();
        String text = codec.write(new AheadMap(BASE, BASE + 24_001, open, 1), origin, AheadMapCodec.MAX_CHARACTERS);
        assertThat(text).hasSizeLessThanOrEqualTo(AheadMapCodec.MAX_CHARACTERS);
        AheadMap read = codec.note(text, BASE).map();
        assertThat(read).isNotNull();
        assertThat(opens(read)).isEqualTo(open);
    }

    /** Distances of millions between open offsets, and millions of those in a row. */
    @Test
    void hugeMapsAreSmall() throws UnreadableMapException {
        long[] far = {BASE, BASE + 5_000_000, BASE + 3_000_000_000L};
        String text = codec.write(new AheadMap(BASE, BASE + 4_000_000_000L, far, 1), null, 4_096);
        assertThat(text).hasSizeLessThan(60);
        AheadMap read = codec.note(text, BASE).map();
        assertThat(read).isNotNull();
        assertThat(opens(read)).isEqualTo(far);

        long[] row = LongStream.range(BASE, BASE + 1_000_000).toArray();
        String rowText = codec.write(new AheadMap(BASE, BASE + 1_000_001, row, 1), null, 4_096);
        assertThat(rowText).hasSizeLessThan(60);
        AheadMap rowRead = codec.note(rowText, BASE).map();
        assertThat(rowRead).isNotNull();
        assertThat(rowRead.openCount()).isEqualTo(1_000_000);
    }

    /** The smallest of all codings is taken: none of them is there for nothing. */
    @Test
    void eachKindOfCodingIsTheBestForSomething(Random random) {
        AheadMap dense = scattered(random, 24_000, 0.5);
        AheadMap sparse = scattered(random, 100_000, 0.01);
        long[] bursts = LongStream.range(0, 100_000)
                .filter(i -> i / 150 % 2 == 0)
                .map(i -> BASE + i)
                .toArray();
        AheadMap inBursts = new AheadMap(BASE, BASE + 100_000, bursts, 1).trimmed();
        assertThat(best(dense)).isInstanceOf(BitsetCoding.class);
        assertThat(best(sparse)).isInstanceOf(RiceCoding.class);
        assertThat(best(inBursts)).isInstanceOf(RunsCoding.class);
    }

    private static Coding best(AheadMap map) {
        return CODINGS.stream()
                .min((one, other) -> Long.compare(one.bits(map), other.bits(map)))
                .orElseThrow();
    }

    private static AheadMap scattered(Random random, int window, double share) {
        long[] open = LongStream.range(0, window)
                .filter(i -> random.nextDouble() < share)
                .map(i -> BASE + i)
                .toArray();
        return new AheadMap(BASE, BASE + window, open, 1).trimmed();
    }

    @Test
    void eachReasonToIgnoreMetadataIsSaid() {
        AheadMap map = new AheadMap(BASE, BASE + 100, new long[] {BASE, BASE + 7}, 1);
        String text = codec.write(map, null, 4_096);
        assertThatThrownBy(() -> codec.note("bytes 1 2", BASE).map()).hasMessage("somebody else has written it");
        assertThatThrownBy(() -> codec.note("AgAAAXzS5iYAAA==", BASE).map()).hasMessage("somebody else has written it");
        assertThatThrownBy(() -> codec.note("x".repeat(5_000), BASE).map()).hasMessage("it has 5000 characters");
        assertThatThrownBy(() -> codec.note(text, BASE + 1).map()).hasMessage("it was committed with offset " + BASE);
        assertThatThrownBy(() -> new AheadMapCodec("jobs", 4).note(text, BASE).map())
                .hasMessage("it is not of jobs-4");
        assertThatThrownBy(() ->
                        codec.note(text.substring(0, text.length() - 1), BASE).map())
                .isInstanceOf(UnreadableMapException.class);
        assertThatThrownBy(
                        () -> codec.note(HostileMaps.withByte(text, 2, 9), BASE).map())
                .hasMessage("its version is 9, known are 1 and 2");
        assertThatThrownBy(() -> codec.note(HostileMaps.sealed(HostileMaps.withByte(text, 2, 2)), BASE)
                        .map())
                .hasMessage("it is cut short");
        assertThatThrownBy(() ->
                        codec.note(HostileMaps.withByte(text, 12, 9), BASE).map())
                .hasMessage("its checksum is wrong");
        assertThatThrownBy(() -> codec.note(HostileMaps.sealed(HostileMaps.withByte(text, 3, 99)), BASE)
                        .map())
                .hasMessage("its coding 99 is not known");
    }

    /** Opens of random density and shape; the last offsets may be open. */
    private static AheadMap random(Random random, int count) {
        long[] open = new long[count];
        long next = BASE;
        int spread = 1 << random.nextInt(12);
        for (int i = 0; i < count; i++) {
            next += random.nextInt(3) == 0 ? 0 : random.nextInt(spread);
            open[i] = next++;
        }
        return new AheadMap(BASE, next + random.nextInt(5), open, random.nextInt(3) - 1);
    }

    private static long[] opens(AheadMap map) {
        long[] open = new long[map.openCount()];
        Arrays.setAll(open, map::open);
        return open;
    }
}
