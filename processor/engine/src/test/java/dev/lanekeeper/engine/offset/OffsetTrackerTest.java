package dev.lanekeeper.engine.offset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.testkit.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith(Seed.class)
class OffsetTrackerTest {
    private final OffsetTracker<String> tracker = new OffsetTracker<>();

    @RepeatedTest(20)
    void agreesWithANaiveModelUnderRandomDeliveriesCompletionsAndGaps(Random random) {
        // a narrow spread keeps the ring small and turning, a wide one makes it grow while it is wrapped
        int spread = random.nextBoolean() ? 3 : 400;
        new TrackerModel(new TrackerModel.Real(), random).run(800, spread);
    }

    /** Faults that would lose or repeat records; the model must see each. */
    enum Planted {
        FRONTIER_SKIPS_TO_THE_HIGHEST_DONE {
            @Override
            TrackerModel.Subject subject() {
                return new TrackerModel.Real() {
                    private final Map<Long, Long> offsets = new HashMap<>();
                    private long highest = -1;

                    @Override
                    public void register(long offset, int leaderEpoch, Long entry) {
                        offsets.put(nextSequence(), offset);
                        super.register(offset, leaderEpoch, entry);
                    }

                    @Override
                    public boolean complete(long sequence) {
                        boolean first = super.complete(sequence);
                        highest = Math.max(highest, first ? offsets.getOrDefault(sequence, -1L) + 1 : -1);
                        return first;
                    }

                    @Override
                    public long frontier() {
                        return Math.max(super.frontier(), highest);
                    }
                };
            }
        },
        FRONTIER_IS_THE_LAST_DONE_PLUS_ONE {
            @Override
            TrackerModel.Subject subject() {
                return new TrackerModel.Real() {
                    @Override
                    public void advanceKnownEnd(long nextOffset) {
                        // markers at the end are forgotten
                    }
                };
            }
        },
        A_SECOND_COMPLETION_COUNTS {
            @Override
            TrackerModel.Subject subject() {
                return new TrackerModel.Real() {
                    @Override
                    public boolean complete(long sequence) {
                        boolean first = super.complete(sequence);
                        return first || !first;
                    }
                };
            }
        },
        THE_LEADER_EPOCH_IS_THAT_OF_THE_LAST_DELIVERY {
            @Override
            TrackerModel.Subject subject() {
                return new TrackerModel.Real() {
                    private int last = -1;

                    @Override
                    public void register(long offset, int leaderEpoch, Long entry) {
                        super.register(offset, leaderEpoch, entry);
                        last = leaderEpoch;
                    }

                    @Override
                    public int frontierLeaderEpoch() {
                        return last;
                    }
                };
            }
        },
        THE_MAP_IS_OF_ANOTHER_MOMENT_THAN_THE_FRONTIER { // PC#894: a record ends between two reads
            @Override
            TrackerModel.Subject subject() {
                return new TrackerModel.Real() {
                    private AheadMap before = super.doneAhead();

                    @Override
                    public boolean complete(long sequence) {
                        before = super.doneAhead();
                        return super.complete(sequence);
                    }

                    @Override
                    public AheadMap doneAhead() {
                        return new AheadMap(frontier(), before.end(), opens(before), before.leaderEpoch());
                    }
                };
            }
        },
        THE_MAP_IS_ONE_OFFSET_TOO_LONG { // PC#52, f#183
            @Override
            TrackerModel.Subject subject() {
                return new TrackerModel.Real() {
                    @Override
                    public AheadMap doneAhead() {
                        AheadMap map = super.doneAhead();
                        return new AheadMap(map.base(), map.end() + 1, opens(map), map.leaderEpoch());
                    }
                };
            }
        },
        THE_MAP_LEAVES_AN_OPEN_OFFSET_OUT {
            @Override
            TrackerModel.Subject subject() {
                return new TrackerModel.Real() {
                    @Override
                    public AheadMap doneAhead() {
                        AheadMap map = super.doneAhead();
                        long[] open = opens(map);
                        return new AheadMap(
                                map.base(),
                                map.end(),
                                open.length > 1 ? Arrays.copyOf(open, open.length - 1) : open,
                                map.leaderEpoch());
                    }
                };
            }
        },
        THE_WEIGHT_IS_THAT_OF_WHAT_IS_OPEN_AND_NOT_OF_ITS_PLACES {
            @Override
            TrackerModel.Subject subject() {
                return new TrackerModel.Real() {
                    @Override
                    public long mapWeightBits() {
                        return incomplete();
                    }
                };
            }
        };

        abstract TrackerModel.Subject subject();

        private static long[] opens(AheadMap map) {
            return IntStream.range(0, map.openCount()).mapToLong(map::open).toArray();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aPlantedFaultIsCaught(Planted fault, Random random) {
        assertThatThrownBy(() -> new TrackerModel(fault.subject(), random).run(5_000, 10))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void recordsThatAreKeptWhereOthersWereAreToldFromThem() {
        List<Long> sequences = new ArrayList<>();
        for (int i = 0; i < 50; i++) { // uses up the first places and gives them back
            sequences.add(register(i, 0));
            tracker.complete(sequences.get(i));
        }
        for (int i = 50; i < 1_000; i++) {
            sequences.add(register(i * 2L, i));
        }
        assertThat(sequences).isSorted().doesNotHaveDuplicates();
        for (int i = 0; i < 50; i++) {
            assertThat(tracker.complete(sequences.get(i))).isFalse();
        }
        assertThat(tracker.incomplete()).isEqualTo(950);
        for (int i = 999; i > 50; i--) {
            assertThat(tracker.complete(sequences.get(i))).isTrue();
            assertThat(tracker.frontier()).isEqualTo(100);
        }
        assertThat(tracker.complete(sequences.get(50))).isTrue();
        assertThat(tracker.frontier()).isEqualTo(1_999);
        assertThat(tracker.frontierLeaderEpoch()).isEqualTo(999);
        assertThat(tracker.span()).isZero();
    }

    /** Neither memory nor the map grows with what is done behind a record that never ends. */
    @Test
    void fiveMillionDoneBehindAnOpenRecordCostNothing() throws UnreadableMapException {
        register(0, 3);
        for (int i = 1; i < 5_000_000; i++) {
            tracker.complete(register(i, 3));
        }
        assertThat(tracker.nextSequence() & 0xffff_ffffL)
                .as("the place of the next record")
                .isLessThan(64);
        assertThat(tracker.mapWeightBits()).isLessThan(10);
        AheadMap map = tracker.doneAhead();
        assertThat(map.openCount()).isEqualTo(1);
        AheadMapCodec codec = new AheadMapCodec("jobs", 0);
        String text = codec.write(map, null, AheadMapCodec.MAX_CHARACTERS);
        assertThat(text).hasSizeLessThan(50);
        AheadMap read = codec.note(text, 0).map();
        assertThat(read).isNotNull();
        assertThat(read.done(0)).isFalse();
        assertThat(read.done(1) && read.done(4_999_999)).isTrue();
        assertThat(read.done(5_000_000)).isFalse();
    }

    private long register(long offset, int leaderEpoch) {
        long sequence = tracker.nextSequence();
        tracker.register(offset, leaderEpoch, "entry " + offset);
        return sequence;
    }

    @Test
    void nothingIsKnownBeforeTheFirstDelivery() {
        assertThat(tracker.frontier()).isNegative();
        assertThat(tracker.frontierLeaderEpoch()).isNegative();
        assertThat(tracker.knownEnd()).isNegative();
    }

    /** Edge case 39: a partition that ends, or consists, of transaction markers. */
    @Test
    void markersAloneMoveTheFrontier() {
        tracker.advanceKnownEnd(4);
        assertThat(tracker.frontier()).isEqualTo(4);
        long sequence = register(4, 1);
        tracker.advanceKnownEnd(9);
        assertThat(tracker.frontier()).isEqualTo(4);
        tracker.complete(sequence);
        assertThat(tracker.frontier()).isEqualTo(9);
        tracker.advanceKnownEnd(5);
        assertThat(tracker.frontier()).isEqualTo(9);
    }

    @Test
    void anOffsetThatWentBackIsRefusedWithBothOffsets() {
        tracker.register(7, 0, "a");
        assertThatThrownBy(() -> tracker.register(7, 0, "b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("offset 7 was delivered after offset 7");
        tracker.register(8, 0, "c");
    }

    @Test
    void aSequenceThatWasNeverRegisteredIsRefusedWithItsValue() {
        tracker.register(7, 0, "a");
        assertThatThrownBy(() -> tracker.complete(1L << 40))
                .hasMessage("sequence 1099511627776 was never given to a record");
        assertThatThrownBy(() -> tracker.complete(-1)).hasMessage("sequence -1 was never given to a record");
        assertThatThrownBy(() -> tracker.complete(tracker.nextSequence()))
                .hasMessageEndingWith(" was never given to a record");
    }

    @Test
    void aLaterLeaderEpochWithoutARecordEndsTheMap() {
        tracker.resume(5, 0, new AheadMap(5, 11, new long[] {5}, 0));
        register(5, 0);
        assertThat(tracker.passIfDone(6, 0)).isTrue();
        tracker.advanceKnownEnd(8, 1); // a marker: the log was cut at 7, and whatever comes was written after that
        assertThat(tracker.doneAhead().done(10)).isFalse();
        assertThat(tracker.doneAhead().done(6)).isTrue();
        assertThat(tracker.passIfDone(10, 1)).isFalse();
    }

    /** What is left of a log that was cut may hold no record, and still the commit has to say in which epoch it was seen. */
    @Test
    void aLaterLeaderEpochWithoutARecordIsAChange() {
        OffsetTracker<String> tracker = new OffsetTracker<>();
        tracker.resume(14, 0, null);
        tracker.advanceKnownEnd(14, 0);
        assertThat(tracker.changes()).isZero();
        tracker.advanceKnownEnd(14, 2);
        assertThat(tracker.frontierLeaderEpoch()).isEqualTo(2);
        assertThat(tracker.changes()).isEqualTo(1);
        tracker.advanceKnownEnd(14, 2);
        assertThat(tracker.changes()).isEqualTo(1);
    }
}
