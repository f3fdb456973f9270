package dev.lanekeeper.engine.offset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lanekeeper.testkit.Seed;
import java.util.Random;
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
                    private long highest = -1;

                    @Override
                    public boolean complete(long sequence) {
                        boolean first = super.complete(sequence);
                        highest = Math.max(highest, first ? sequence : -1);
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
        };

        abstract TrackerModel.Subject subject();
    }

    @ParameterizedTest
    @EnumSource
    void aPlantedFaultIsCaught(Planted fault, Random random) {
        assertThatThrownBy(() -> new TrackerModel(fault.subject(), random).run(5_000, 10))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void aRingThatGrowsWhileWrappedKeepsEveryEntryInItsPlace() {
        for (int i = 0; i < 50; i++) { // moves the head, so that the ring of 64 wraps below
            tracker.register(i, 0, "early " + i);
            tracker.complete(i);
        }
        for (int i = 50; i < 1_000; i++) {
            tracker.register(i * 2L, i, "entry " + i);
        }
        assertThat(tracker.span()).isEqualTo(950);
        for (int i = 999; i > 50; i--) {
            assertThat(tracker.complete(i)).isTrue();
            assertThat(tracker.frontier()).isEqualTo(100);
        }
        assertThat(tracker.complete(50)).isTrue();
        assertThat(tracker.frontier()).isEqualTo(1_999);
        assertThat(tracker.frontierLeaderEpoch()).isEqualTo(999);
        assertThat(tracker.span()).isZero();
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
        tracker.register(4, 1, "a");
        tracker.advanceKnownEnd(9);
        assertThat(tracker.frontier()).isEqualTo(4);
        tracker.complete(0);
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
        assertThatThrownBy(() -> tracker.complete(1)).hasMessage("sequence 1 is not below 1");
        assertThatThrownBy(() -> tracker.complete(-1)).hasMessage("sequence -1 is not below 1");
    }
}
