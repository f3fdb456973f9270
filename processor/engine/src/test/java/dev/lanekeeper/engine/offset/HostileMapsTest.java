package dev.lanekeeper.engine.offset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.testkit.Seed;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Edge case 37; PC#326, f#183, f#207, f#480: whatever stands in a commit's metadata, nothing is taken for done that isn't. */
@ExtendWith(Seed.class)
class HostileMapsTest {
    private static final int ROUNDS = 30_000;

    @Test
    void nothingIsTakenForDoneThatIsNot(Random random) {
        HostileMaps hostile =
                new HostileMaps((codec, text, at) -> codec.note(text, at).map(), random);
        for (int i = 0; i < ROUNDS; i++) {
            hostile.round();
        }
        assertThat(hostile.believed()).as("the true ones, at least").isGreaterThan(ROUNDS / 10);
    }

    /** Readers that believe what is left unchecked; each is caught. */
    enum Planted implements HostileMaps.Reader {
        CHECKSUM_NOT_CHECKED {
            @Override
            public @Nullable AheadMap read(AheadMapCodec codec, String metadata, long committed)
                    throws UnreadableMapException {
                return codec.note(HostileMaps.sealed(metadata), committed).map();
            }
        },
        BASE_NOT_CHECKED {
            @Override
            public @Nullable AheadMap read(AheadMapCodec codec, String metadata, long committed)
                    throws UnreadableMapException {
                return codec.note(HostileMaps.rebased(metadata, committed), committed)
                        .map();
            }
        },
        PLACE_NOT_CHECKED {
            @Override
            public @Nullable AheadMap read(AheadMapCodec codec, String metadata, long committed)
                    throws UnreadableMapException {
                String own = codec.write(new AheadMap(0, 2, new long[] {0}, 0), null, AheadMapCodec.MAX_CHARACTERS);
                return codec.note(HostileMaps.replaced(metadata, own), committed)
                        .map();
            }
        },
        UNREADABLE_MEANS_ALL_DONE { // f#183, f#207
            @Override
            public AheadMap read(AheadMapCodec codec, String metadata, long committed) {
                try {
                    AheadMap map = codec.note(metadata, committed).map();
                    return map == null ? new AheadMap(committed, committed, new long[0], 0) : map;
                } catch (UnreadableMapException e) {
                    return new AheadMap(committed, committed + 1, new long[0], 0);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aPlantedFaultIsCaught(Planted fault, Random random) {
        HostileMaps hostile = new HostileMaps(fault, random);
        assertThatThrownBy(() -> {
                    for (int i = 0; i < ROUNDS; i++) {
                        hostile.round();
                    }
                })
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("is taken for done");
    }

    /** Bytes with a right checksum and a right head, and no sense behind it: the reader ends, in little memory. */
    @Test
    void nonsenseWithARightChecksumIsRefusedOrHarmless(Random random) {
        AheadMapCodec codec = new AheadMapCodec("jobs", 0);
        String own = codec.write(new AheadMap(5, 7, new long[] {5}, 0), null, AheadMapCodec.MAX_CHARACTERS);
        byte[] head = Base64.getDecoder().decode(own);
        for (int i = 0; i < ROUNDS; i++) {
            byte[] bytes = new byte[24 + random.nextInt(60)];
            random.nextBytes(bytes);
            System.arraycopy(head, 0, bytes, 0, 20);
            int[] codings = {1, 2, 16, 20, 31};
            bytes[3] = (byte) codings[random.nextInt(codings.length)];
            if (random.nextBoolean()) { // a huge count in few bytes
                ByteBuffer.wrap(bytes).put(20, (byte) 0xff).put(21, (byte) 0xff);
            }
            String text = HostileMaps.sealed(Base64.getEncoder().encodeToString(bytes));
            assertThatCode(() -> {
                        try {
                            AheadMap map = codec.note(text, 5).map();
                            assertThat(map == null || map.openCount() <= AheadMapCodec.MAX_OPEN)
                                    .isTrue();
                        } catch (UnreadableMapException expected) {
                            assertThat(expected).hasMessageStartingWith("");
                        }
                    })
                    .doesNotThrowAnyException();
        }
    }
}
